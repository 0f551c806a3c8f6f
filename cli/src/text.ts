/** Makes text from the bus safe for a terminal: control characters become visible, so that none can drive it. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (found) =>
    found === "\n" ? "⏎" : found === "\t" ? " " : `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** Cuts text that is longer than `limit` characters. */
export function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** `1 key`, `2 keys`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** A table of left-aligned columns, two blanks apart, with a heading; numbers stand to the right. Ends with a newline. */
export function formatTable(
  heading: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => printable(String(cell))));
  const isNumeric = heading.map((_, at) => rows.length > 0 && rows.every((row) => isNumber(row[at])));
  const widths = heading.map((title, at) =>
    Math.max(title.length, ...cells.map((row) => (row[at] ?? "").length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (isNumeric[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd();
  return `${[heading, ...cells].map(line).join("\n")}\n`;
}

/** Numbers, and the dash that stands for none. */
const isNumber = (cell: string | number | undefined) => typeof cell === "number" || cell === "-";

/** Lines of `name  value`, the values aligned. Ends with a newline. */
export function formatFields(fields: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(String(value))}`.trimEnd() + "\n")
    .join("");
}
