import { ACTOR_PATTERN, LABEL_PATTERN, LIMITS } from "@incipit/schema";
import { InvalidArgumentError } from "commander";

/** Parses a count or a position: digits only. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Parses a version: 0 is the seed. */
export const version = wholeNumber(0, 999_999_999);

/** A version as the sender has seen it. A word for none, since commander takes null for a value left out. */
export type SeenVersion = number | "none";

/** Parses a version as the sender has seen it, or `none`. */
export function seenVersion(text: string): SeenVersion {
  return text === "none" ? text : version(text);
}

/** A version as the sender has seen it, as the wire has it. */
export function toExpectation(seen: SeenVersion | undefined): number | null | undefined {
  return seen === "none" ? null : seen;
}

/** Parses a duration, `500ms` or `5s`, into milliseconds. A bare number is refused: half of its readers take it for seconds. */
export function duration(text: string): number {
  if (/^[0-9]+$/.test(text)) throw new InvalidArgumentError(`A number of what? Write ${text}s or ${text}ms.`);
  const found = /^([0-9]{1,7})(ms|s)$/.exec(text);
  const value = found === null ? 0 : Number(found[1]) * (found[2] === "s" ? 1_000 : 1);
  if (value < 1 || value > 3_600_000)
    throw new InvalidArgumentError("It must be a duration such as 500ms or 5s, at most an hour.");
  return value;
}

/** Parses how long to wait for renderers, into milliseconds. */
export function wait(text: string): number {
  const value = duration(text);
  if (value > LIMITS.waitMs) throw new InvalidArgumentError(`It must be at most ${LIMITS.waitMs / 1_000}s.`);
  return value;
}

/** Parses the name of a pointer. */
export function label(text: string): string {
  if (!LABEL_PATTERN.test(text))
    throw new InvalidArgumentError("A label begins with a-z and goes on with a-z, 0-9 and -.");
  return text;
}

/** Parses who acts. */
export function actor(text: string): string {
  if (!ACTOR_PATTERN.test(text)) throw new InvalidArgumentError("An actor is made of A-Z a-z 0-9 _ -.");
  return text;
}

/** Collects an option that may be given several times. */
export function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text];
}

/** The name of a person's account as an actor: what an actor may not hold becomes `-`. */
export function toActor(userName: string): string {
  const name = userName.replaceAll(/[^A-Za-z0-9_-]/g, "-").slice(0, 100);
  return name === "" ? "cli" : name;
}
