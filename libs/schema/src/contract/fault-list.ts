import { refuse, type ErrorCode, type Result } from "../problem.ts";

/** Something that is wrong: where, and what, as the end of a sentence. */
export type Fault = { readonly path: string; readonly message: string };

const SHOWN_FAULTS = 8;
/** Characters: names and constants can be as long as a request, and a reply must stay within one message. */
const LONGEST_PATH = 200;
const LONGEST_MESSAGE = 400;

/** Refuses with every fault, the path of the first in `path`. `isWhole`: there are no others. */
export function refuseFaults(
  code: ErrorCode,
  sentence: string,
  faults: readonly Fault[],
  isWhole = true,
): Result<never> {
  const shown = faults.slice(0, SHOWN_FAULTS).map(({ path, message }) => {
    const text = clip(message, LONGEST_MESSAGE);
    return path === "" ? text : `${clip(path, LONGEST_PATH)}: ${text}`;
  });
  if (faults.length > shown.length)
    shown.push(`and ${isWhole ? "" : "at least "}${faults.length - shown.length} more`);
  const path = faults[0]?.path ?? "";
  const message = `${sentence} ${shown.join("; ")}.`;
  return refuse(code, message, path === "" ? {} : { path: cut(path, LONGEST_PATH) });
}

/** Shortens a text that goes into a message. */
function clip(text: string, length: number): string {
  return text.length <= length ? text : `${cut(text, length - 1)}…`;
}

/** No more than so many units, and no half of a pair at the end. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
