import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { addPayloadSchema } from "./commands.ts";
import { LIMITS } from "./limits.ts";
import { renderPayloadSchema } from "./render.ts";
import { parseWith } from "./zod-problem.ts";

function said(schema: z.ZodType, value: unknown): string {
  const parsed = parseWith(schema, value, "It");
  return parsed.ok ? "accepted" : parsed.problem.message;
}

describe("what is wrong with a request", () => {
  it.each([
    [{ tags: [""] }, "tags[0]: must not be empty"],
    [{ tags: Array.from({ length: LIMITS.tags + 1 }, () => "x") }, "tags: must have at most 50 items"],
    [{ tags: "x" }, "tags: must be a list"],
    [{ note: "x".repeat(LIMITS.noteLength + 1) }, "note: must have at most 2000 characters"],
    [{ kind: "letter" }, "kind: must be one of prompt, partial, assembly"],
    [{ syntax: "mustache" }, "syntax: must be one of handlebars, slots, plain"],
    [{ body: undefined }, "body: is missing"],
    [{ body: 1 }, "body: must be a string"],
    [{ expectNewest: 1.5 }, "expectNewest: must be a whole number"],
    [{ expectNewest: -1 }, "expectNewest: must be at least 0"],
    [{ dryRun: 1 }, "dryRun: must be true or false"],
    [{ activate: false }, "activate: must be true or a label"],
    [{ activate: "Production" }, "activate: is not a label"],
    [{ contract: "a b" }, "contract: is not a contract name: 1 to 100 of A-Z a-z 0-9 _ and -, not - first"],
    [{ config: [] }, "config: must be an object"],
  ])("is said in plain words, case %#", (fields, words) => {
    const message = said(addPayloadSchema, { body: "x", ...fields });
    expect(message).toContain(words);
    expect(message).not.toMatch(/Too (small|big)|Invalid|expected|received/);
  });

  it("is told of an unknown field with the fields there are", () => {
    expect(said(addPayloadSchema, { body: "x", lable: "a" })).toMatch(
      /^It is not valid\. "lable" is not known here; known: body, kind, syntax, /,
    );
  });

  it("never echoes more than a few unknown names, and of each no more than its beginning", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n}${"x".repeat(5_000)}`, 1]));
    const message = said(addPayloadSchema, { body: "x", ...many });
    expect(message).toContain("and 995 more are not known here");
    expect(message.length).toBeLessThan(800);
  });

  it("is said of a pin in the same words", () => {
    expect(said(renderPayloadSchema, { pins: { "a/b": -1 } })).toContain("pins.a/b: must be at least 0");
  });
});
