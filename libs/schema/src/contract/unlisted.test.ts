import { expect, it } from "vitest";
import type { JsonObject } from "../template.ts";
import { parseContract } from "./parse-contract.ts";
import { findUnlisted } from "./unlisted.ts";

const d = { description: "d" };
const text = { type: "string", ...d };
const document = {
  anyOf: [
    {
      type: "object",
      title: "Task",
      required: ["task"],
      properties: {
        task: { type: "object", properties: { title: text }, ...d },
        marks: { type: "object", additionalProperties: { type: "object", properties: { a: text } }, ...d },
        steps: { type: "array", items: { anyOf: [{ type: "string" }, { $ref: "#/$defs/Node" }] }, ...d },
      },
    },
    { type: "object", title: "Talk", required: ["talk"], properties: { talk: text } },
  ],
  $defs: { Node: { type: "object", properties: { name: text, next: { $ref: "#/$defs/Node", ...d } } } },
};
const contract = parseContract("c", document);
if (!contract.ok) throw new Error(contract.problem.message);
const { value: parsed } = contract;

it.each<[string, Parameters<typeof findUnlisted>[1], string[]]>([
  [
    "nothing where all is listed, in whatever variant",
    { task: { title: "t" }, talk: "x", marks: { any: { a: "x" } } },
    [],
  ],
  [
    "names at every depth",
    { tsk: 1, task: { titel: "t" }, marks: { any: { b: 1 } } },
    ["tsk", "task.titel", "marks.any.b"],
  ],
  [
    "items of lists, and what holds itself",
    { steps: ["x", { next: { next: { other: 1 } } }] },
    ["steps[1].next.next.other"],
  ],
  [
    "a name like any other",
    JSON.parse('{"__proto__":{"a":1},"constructor":1}') as JsonObject,
    ["__proto__", "constructor"],
  ],
  ["nothing inside of a value of another kind, which is refused anyway", { task: "x", talk: { a: 1 } }, []],
])("tells %s", (_, context, paths) => {
  expect(findUnlisted(parsed, context, 20)).toEqual(paths);
});

it("tells so many, and no more of a long path than can be read", () => {
  const context = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${"x".repeat(1_000)}${i}`, i]));
  const found = findUnlisted(parsed, context, 20);
  expect(found).toHaveLength(20);
  expect(found.every((path) => path.length <= 201)).toBe(true);
});
