import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineContract } from "./define-contract.ts";
import { parseContract } from "./parse-contract.ts";
import { writeContractTypes } from "./types-text.ts";

const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** What the compiler says of a text, as it is set for callers who are strict. */
function compile(text: string): { ok: boolean; output: string } {
  const folder = mkdtempSync(join(tmpdir(), "contract-types-"));
  try {
    writeFileSync(join(folder, "types.ts"), text);
    const settings = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--types", ""];
    const run = spawnSync(process.execPath, [tsc, ...settings, join(folder, "types.ts")], {
      encoding: "utf8",
      // Away from this workspace, whose settings the compiler would ask about.
      cwd: folder,
    });
    return { ok: run.status === 0, output: run.stdout + run.stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const d = <S extends z.ZodType>(schema: S): S => schema.describe("d");
const Tree: z.ZodType = z.lazy(() => z.object({ name: d(z.string()), kids: d(z.array(Tree)) }));
const Nested: z.ZodType = z.lazy(() => z.array(Nested));
const Marks: z.ZodType = z.lazy(() => z.record(z.string(), Marks));
const types = writeContractTypes(
  defineContract(
    "c",
    z.union([
      z
        .object({ tree: d(Tree), data: d(z.json()), nested: d(Nested), marks: d(Marks) })
        .meta({ title: "Record" }),
      z
        .object({
          list: d(z.array(z.string().nullable())),
          count: d(z.int().default(1)),
          "a-b": d(z.enum(["x"])),
        })
        .meta({ title: "array" }),
    ]),
  ).contract,
);

it.each<[string, boolean, string]>([
  ["one variant", true, '{ list: ["a", null], "a-b": "x" }'],
  [
    "the other, with all that holds itself",
    true,
    '{ tree: { name: "a", kids: [{ name: "b", kids: [] }] }, data: { a: [1, null] }, nested: [[], [[]]], marks: { a: { b: {} } } }',
  ],
  ["a field that is missing", false, "{ list: [] }"],
  [
    "a wrong value deep inside",
    false,
    '{ tree: { name: "a", kids: [{ name: 1, kids: [] }] }, data: 1, nested: [], marks: {} }',
  ],
  ["a field nobody lists", false, '{ list: [], "a-b": "x", other: 1 }'],
])("the compiler judges %s as the contract does", (_, isRight, context) => {
  const { ok, output } = compile(`${types}\nexport const context: CContext = ${context};\n`);
  expect(ok, output + types).toBe(isRight);
});

it("the compiler takes the types of definitions that each hold the one below twice", () => {
  const field = (type: object) => ({ description: "d", ...type });
  const $defs = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => {
      const below = i === 0 ? { type: "string" } : { $ref: `#/$defs/d${i - 1}` };
      const either = {
        anyOf: [
          { type: "array", items: below },
          { type: "object", additionalProperties: below },
        ],
      };
      return [
        `d${i}`,
        { type: "object", required: ["a"], properties: { a: field(below), b: field(either) } },
      ];
    }),
  );
  const v = field({ $ref: "#/$defs/d99" });
  const contract = parseContract("c", { type: "object", required: ["v"], properties: { v }, $defs });
  if (!contract.ok) throw new Error(contract.problem.message);
  const text = writeContractTypes(contract.value);
  const right = compile(
    `${text}\nexport const of = (context: CContext): CContext["v"]["a"] => context.v.a;\n`,
  );
  expect(right.ok, right.output).toBe(true);
  const wrong = compile(`${text}\nexport const of = (context: CContext): string => context.v.a;\n`);
  expect(wrong.ok).toBe(false);
});
