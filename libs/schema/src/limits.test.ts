import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS, utf8Length } from "./limits.ts";

/** The row of the table in the wire's reference that tells each limit, and how it is written there. */
const ROWS: Record<keyof typeof LIMITS, [row: string, write: (limit: number) => string]> = {
  keySegments: ["key", (limit) => `${limit} segments`],
  keyLength: ["key", (limit) => `${limit} characters`],
  bodyBytes: ["body", kib],
  bodyParts: ["parts of a body: tags, names in them", grouped],
  nesting: ["nesting of blocks and subexpressions", grouped],
  steps: ["evaluation steps of one render", grouped],
  outputBytes: ["rendered text", kib],
  includeDepth: ["depth of includes", grouped],
  pins: ["pins of one render", grouped],
  contextBytes: ["context", kib],
  commandIdLength: ["command id", (limit) => `${limit} characters`],
  noteLength: ["note", (limit) => `${grouped(limit)} characters`],
  labelsPerKey: ["labels of a key", grouped],
  tags: ["tags of a version", (limit) => `${limit} of`],
  tagLength: ["tags of a version", (limit) => `of ${limit} characters`],
  configBytes: ["config of a version", kib],
  configDepth: ["config of a version", (limit) => `${limit} levels`],
  contractBytes: ["document of a contract", kib],
  contractNodes: ["document of a contract", (limit) => `${grouped(limit)} fields, items and members`],
  contractDepth: ["document of a contract", (limit) => `${limit} levels`],
  contractLevels: ["document of a contract", (limit) => `those of all definitions added up ${limit}`],
  contextChecks: ["context", (limit) => `${grouped(limit)} looks`],
  envelopeBytes: ["event of the log", (limit) => `${grouped(limit)} bytes`],
  searchLength: ["text of a search", (limit) => `${limit} characters`],
  pageItems: ["page of a list", (limit) => `${limit} items`],
  jsonDepth: ["nesting of a request's JSON", grouped],
  waitMs: ["wait of a request", (limit) => `${grouped(limit)} ms`],
};

function grouped(limit: number): string {
  return limit.toLocaleString("en");
}

function kib(limit: number): string {
  return `${limit / 1024} KiB`;
}

it("is told in the reference of the wire, each limit as it is", () => {
  const reference = readFileSync(new URL("../../../docs/reference/wire.md", import.meta.url), "utf8");
  const table = reference.slice(reference.indexOf("\n## Limits\n"));
  const told = new Map(
    [...table.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, what = "", limit = ""]) => [what, limit]),
  );
  for (const [name, [row, write]] of Object.entries(ROWS))
    expect(`${name}: ${told.get(row)}`).toContain(write(LIMITS[name as keyof typeof LIMITS]));
});

it("counts the bytes that a string takes in UTF-8, lone surrogates as their replacement", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (a, b) => {
      const text = `${a}\ud800${b}\udc00`;
      expect(utf8Length(text)).toBe(Buffer.byteLength(text, "utf8"));
    }),
  );
});
