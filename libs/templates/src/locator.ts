import type { Position } from "@incipit/schema";

/** Turns offsets of one body (UTF-16 units, from 0) into positions. */
export type Locator = {
  readonly source: string;
  at(start: number, end: number): Position;
};

/** Where each line starts. A line ends with LF, CRLF or a lone CR. */
export function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let i = 0; i < source.length; i++) {
    const unit = source.charCodeAt(i);
    if (unit === 10 || (unit === 13 && source.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/** Builds the locator of a body. */
export function createLocator(source: string): Locator {
  const starts = lineStarts(source);
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    source,
    at(start, end) {
      const first = lineOf(start);
      const last = lineOf(Math.max(start, end));
      return {
        line: first + 1,
        column: start - (starts[first] ?? 0) + 1,
        endLine: last + 1,
        endColumn: Math.max(start, end) - (starts[last] ?? 0) + 1,
      };
    },
  };
}
