import { expect, it } from "vitest";
import { compareContracts } from "./compare.ts";
import { parseContract } from "./parse-contract.ts";

const parse = (document: unknown) => {
  const contract = parseContract("c", document);
  if (!contract.ok) throw new Error(contract.problem.message);
  return contract.value;
};
const object = (fields: Record<string, object>, required: string[] = Object.keys(fields), rest = {}) => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { description: "d", ...field }]),
  ),
  required,
  ...rest,
});
const text = { type: "string" };
const compare = (before: unknown, after: unknown) => compareContracts(parse(before), parse(after));

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
