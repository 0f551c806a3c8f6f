/** Shortens a text that goes into a message, so that no body or value can make a reply larger than the bus carries. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
