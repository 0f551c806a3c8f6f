import type { z } from "zod";

/** One environment variable: how it is read, and what its documentation says. */
export type Setting<T> = {
  /** Reads the text; `null` stands for a variable that is not set and has no default. */
  schema: z.ZodType<T>;
  /** What it does, in a sentence or two of Markdown. */
  description: string;
  /** What is a right value, for the documentation and for a failure: `1 or 3`. */
  expected: string;
  /** The text that counts where the variable is not set; null where there is none. */
  default: string | null;
  /** Its value is never shown, in no failure. */
  secret: boolean;
};

/** Settings by the names of their variables. */
export type Shape = Readonly<Record<string, Setting<unknown>>>;

/** What reading a shape gives: the same names, with parsed values. */
export type Config<S extends Shape> = { readonly [Name in keyof S]: z.output<S[Name]["schema"]> };

type Words = { description: string; expected: string; default?: string; secret?: boolean };

/** A setting from its schema and its words. */
export function setting<T>(schema: z.ZodType<T>, words: Words): Setting<T> {
  return {
    schema,
    description: words.description,
    expected: words.expected,
    default: words.default ?? null,
    secret: words.secret ?? false,
  };
}
