import { expect, it } from "vitest";
import { compare, object, text } from "../../testing/compare.ts";

it("tells what who shows all of an object would notice", () => {
  const shown = (before: unknown, after: unknown) =>
    compare(before, after).shown.map(({ path, message }) => `${path}: ${message}`);
  const one = object({ a: text, b: text });
  expect(shown(one, object({ a: text, b: text, c: text }, ["a", "b"]))).toEqual([]);
  expect(shown(one, object({ c: text, a: text, b: text }))).toEqual([
    "c: would ask its callers for a new field, who do not give it yet",
  ]);
  expect(shown(one, object({ a: text, c: { ...text, default: "x" }, b: text }))).toEqual([
    "c: would show the default of a new field",
  ]);
  expect(shown(object({ o: one }), object({ o: object({ b: text, a: text }) }))).toEqual([
    "o: would show the fields in another order",
  ]);
});

it("names the field that a removed one has likely become", () => {
  const { narrowed } = compare(
    object({ user_name: text, b: text }),
    object({ userName: text, c: text, b: text }),
  );
  expect(narrowed).toMatchObject([
    { path: "user_name", message: expect.stringContaining('"userName"') as unknown },
  ]);
});
