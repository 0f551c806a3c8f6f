import type { getPayloadSchema } from "@incipit/schema";

/** A moment of the log, as a query names it: a position, or a time. */
type Moment = NonNullable<ReturnType<typeof getPayloadSchema.parse>["at"]>;

/** Up to where a moment reaches: rows at or before the position, and at or before the time as the log writes it. */
export type Until = { seq: number; time: string };

/** Later than any time that the log can hold. */
const END_OF_TIME = "9999-12-31T23:59:59.999Z";

/** How to ask SQLite for what had happened by a moment; left out: by now. */
export function untilOf(moment: Moment | undefined): Until {
  if (typeof moment === "number") return { seq: moment, time: END_OF_TIME };
  const seq = Number.MAX_SAFE_INTEGER;
  return { seq, time: moment === undefined ? END_OF_TIME : new Date(moment).toISOString() };
}
