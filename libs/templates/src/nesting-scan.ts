import { LIMITS } from "@incipit/schema";

/** A tag that was opened and not closed. */
type OpenTag = { readonly name: string; readonly start: number };

/** What the scan saw before it ended or gave up. Offsets are UTF-16 units from 0. */
export type NestingScan = {
  /** Where the nesting first exceeds the limit. */
  readonly tooDeepAt: number | null;
  /** Where the parts of the body first exceed theirs; the scan ends there. */
  readonly tooManyAt: number | null;
  /** Where the first raw block opens; the scan ends there. */
  readonly rawBlockAt: number | null;
  /** Blocks open at the end, outermost first. */
  readonly openBlocks: readonly OpenTag[];
  /** The mustache or comment that was not closed. */
  readonly openMustache: OpenTag | null;
};

// The same shapes as the parser's lexer: a string, a bracketed name. Sticky, so that each looks at one place only.
const STRING = /"(?:\\"|[^"])*"|'(?:\\'|[^'])*'/y;
const BRACKETED = /\[(?:\\\]|[^\]])*\]/y;
const ELSE = /\s*(?:else\b|\^)\s*~?(\}\})?/y;
const APART = /[\s()=|/.~#^>&*{]/;
const NAME = /[^\s}(|=]{0,40}/y;

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/**
 * Counts how deep blocks and parentheses nest and how many parts there are, in one pass and without the parser, whose
 * time grows with both and whose stack with the depth. A part is a tag, also a comment or an escaped one, and in it each
 * call, name, constant or `..`. Each `{{else if}}` counts as one level, since it nests in the parser. Where the scan cannot follow, the
 * parser cannot either and stops there, so no more is nested than was counted.
 */
export function scanNesting(source: string, limit: number = LIMITS.nesting): NestingScan {
  const blocks: (OpenTag & { links: number })[] = [];
  let depth = 0;
  let parts = 0;
  let tooDeepAt: number | null = null;
  let tooManyAt: number | null = null;
  let rawBlockAt: number | null = null;
  let openMustache: OpenTag | null = null;
  const deeper = (at: number): void => {
    depth++;
    if (depth > limit) tooDeepAt ??= at;
  };

  const count = (at: number): void => {
    parts++;
    if (parts > LIMITS.bodyParts) tooManyAt ??= at;
  };

  /** Reads the inside of a mustache from `from`; gives the offset after its end, or -1 where the parser stops. */
  const skipMustache = (from: number): number => {
    let parentheses = 0;
    let i = from;
    let inPart = false;
    while (i < source.length) {
      const char = source[i] ?? "";
      if (char === "}" && source[i + 1] === "}") {
        depth -= parentheses;
        return i + 2;
      }
      if (char === "{" && source[i + 1] === "{") return -1;
      if (char === "(") {
        parentheses++;
        deeper(i);
        count(i);
        if (tooDeepAt !== null) return -1;
      } else if (char === ")" && parentheses > 0) {
        parentheses--;
        depth--;
      }
      const isApart = APART.test(char);
      if (isApart ? char === "." && source[i - 1] === "." : !inPart) count(i);
      if (tooManyAt !== null) return -1;
      inPart = !isApart;
      if (char === '"' || char === "'" || char === "[") {
        const found = match(char === "[" ? BRACKETED : STRING, source, i);
        if (found === null) return -1;
        i += found[0].length;
      } else i++;
    }
    return -1;
  };

  const openTag = (start: number): number => {
    let i = start + 2;
    if (source[i] === "~") i++;
    const sigil = source[i];
    if (sigil === "!") {
      const dashed = source.startsWith("--", i + 1);
      const end = dashed ? /--~?\}\}/g : /\}\}/g;
      end.lastIndex = i + 1;
      return end.exec(source) === null ? -1 : end.lastIndex;
    }
    const otherwise = match(ELSE, source, i);
    if (otherwise !== null && (sigil !== "^" || otherwise[1] !== undefined)) {
      if (otherwise[1] !== undefined) return i + otherwise[0].length;
      const block = blocks.at(-1);
      if (block !== undefined) {
        block.links++;
        deeper(start);
      }
    } else if (sigil === "#" || sigil === "^") {
      const name = /^[>*^#]?\s*/.exec(source.slice(i + 1, i + 4))?.[0].length ?? 0;
      blocks.push({ name: match(NAME, source, i + 1 + name)?.[0] ?? "", start, links: 1 });
      deeper(start);
    } else if (sigil === "/") depth -= blocks.pop()?.links ?? 0;
    return tooDeepAt === null ? skipMustache(i) : -1;
  };

  let i = 0;
  while (i < source.length) {
    const start = source.indexOf("{{", i);
    if (start < 0) break;
    if (start > i && source[start - 1] === "\\" && !(start - 1 > i && source[start - 2] === "\\")) {
      count(start);
      if (tooManyAt !== null) break;
      i = start + 2; // `\{{` is text up to the next `{{`
      continue;
    }
    if (source.startsWith("{{{{", start)) {
      rawBlockAt = start;
      break;
    }
    count(start);
    if (tooManyAt !== null) break;
    i = openTag(start);
    if (i < 0) {
      openMustache = { name: "", start };
      break;
    }
  }
  return { tooDeepAt, tooManyAt, rawBlockAt, openBlocks: blocks, openMustache };
}
