import { LIMITS, ok, refuse, type Result } from "@incipit/schema";
import { findJsonFault, findTooDeep, positionAt } from "./json-fault.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Reads the JSON of a request or a reply: strict UTF-8 without a byte order mark, nested at most `LIMITS.jsonDepth` deep
 * (counted before it is parsed). A refusal says what is wrong and where, and quotes
 * nothing. `what` is its subject: `The request`. An own field called `__proto__` stays a field.
 */
export function decodeBody(payload: Uint8Array, what: string): Result<unknown> {
  let text: string;
  try {
    text = strict.decode(payload);
  } catch {
    return refuse("bad_request", `${what} is not UTF-8: byte ${findBadByte(payload)} is wrong.`);
  }
  if (text.startsWith("\uFEFF"))
    return refuse("bad_request", `${what} begins with a byte order mark: leave it out.`);
  const tooDeep = findTooDeep(text, LIMITS.jsonDepth);
  if (tooDeep >= 0) {
    const place = positionAt(text, tooDeep);
    return refuse(
      "bad_request",
      `${what} is nested deeper than ${LIMITS.jsonDepth} levels at ${written(place)}.`,
      place,
    );
  }
  try {
    return ok(JSON.parse(text) as unknown);
  } catch {
    const fault = findJsonFault(text);
    if (fault === null) return refuse("bad_request", `${what} is not JSON.`);
    const place = positionAt(text, fault.offset);
    return refuse(
      "bad_request",
      `${what} is not JSON: at ${written(place)}, ${fault.expected} is expected.`,
      place,
    );
  }
}

const written = ({ line, column }: { line: number; column: number }) => `line ${line}, column ${column}`;

/** The first byte, from 1, that no UTF-8 text has at its place. Halves: only a prefix that holds it does not decode. */
function findBadByte(payload: Uint8Array): number {
  let good = 0;
  let bad = payload.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      // A character that is cut off is not wrong yet, with `stream`.
      new TextDecoder("utf-8", { fatal: true }).decode(payload.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return bad;
}

/** Writes a value as JSON in UTF-8; what JSON has no word for at the top is null. Throws on cycles and big integers. */
export function encodeBody(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value) ?? "null");
}

/** Characters of a header that are kept. */
const HEADER_LENGTH = 300;

/** A message as a header can carry it: one line of printable ASCII. */
export function headerLine(message: string): string {
  const line = message
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[^\x20-\x7e]/gu, "?")
    .trim();
  return line.length > HEADER_LENGTH ? `${line.slice(0, HEADER_LENGTH - 3)}...` : line;
}
