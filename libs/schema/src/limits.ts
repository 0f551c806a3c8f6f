/** Every limit of the system, in one place. Sizes are bytes of UTF-8. */
export const LIMITS = {
  /** Segments of a key. */
  keySegments: 16,
  /** Characters of a key. */
  keyLength: 200,
  /** Body of a template. */
  bodyBytes: 256 * 1024,
  /** Parts of a body: its tags and slots, and each call, name, constant and step of a path in them. Counted before parsing. */
  bodyParts: 50_000,
  /** Nesting of blocks and subexpressions, counted before parsing. */
  nesting: 64,
  /** Evaluation steps of one render. */
  steps: 200_000,
  /** Rendered text. */
  outputBytes: 768 * 1024,
  /** Depth of includes. */
  includeDepth: 32,
  /** Pins of one render. */
  pins: 1_000,
  /** JSON text of a render's context. */
  contextBytes: 512 * 1024,
  /** Characters of a command id. */
  commandIdLength: 128,
  /** Characters of a note. */
  noteLength: 2_000,
  /** Labels that point at a version of one key: a move under `production` is looked at under each. */
  labelsPerKey: 50,
  /** Tags of a version. */
  tags: 50,
  /** Characters of a tag. */
  tagLength: 100,
  /** JSON text of a version's config. */
  configBytes: 64 * 1024,
  /** Nesting of a version's config, itself included: far below `jsonDepth`, since a reply holds it some levels down. */
  configDepth: 32,
  /** JSON text of a contract's document. */
  contractBytes: 256 * 1024,
  /** Nodes of a contract's document: fields, items, members of unions. */
  contractNodes: 5_000,
  /** Nesting of a contract's document, itself included. */
  contractDepth: 32,
  /** Nesting of all definitions of a contract, added up: so deep can be what one of them leads to by way of the others. */
  contractLevels: 500,
  /** Looks at fields, items and members of unions that one context may take to be judged against its contract. */
  contextChecks: 2_000_000,
  /** One event in the log: NATS takes messages of 1 MiB by default, subject and headers included. */
  envelopeBytes: 1_040_000,
  /** Characters of what a search looks for. */
  searchLength: 500,
  /** Items of one page. */
  pageItems: 200,
  /** Nesting of JSON in a request. */
  jsonDepth: 100,
  /** Longest wait a request may ask for, in milliseconds. */
  waitMs: 60_000,
} as const;

/** The length of a string in bytes of UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2; // a pair: two units, four bytes
      i++;
    } else bytes += 2;
  }
  return bytes;
}
