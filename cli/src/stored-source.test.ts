import { ok, problem, refuse, type Result } from "@incipit/schema";
import type { Client } from "@incipit/client";
import { expect, it } from "vitest";
import { askedFor, findSources } from "./stored-source.ts";

type Get = Client["get"];

/** A registry of these bodies, by `key@version` or `key@label`. */
function registry(bodies: Record<string, string>): { get: Get; asked: string[] } {
  const asked: string[] = [];
  const get = async (key: string, { version, label }: { version?: number; label?: string } = {}) => {
    const ref = `${key}@${version ?? label}`;
    asked.push(ref);
    const body = bodies[ref];
    const found: Result<unknown> = body === undefined ? refuse("key_not_found", "No.") : ok({ body });
    return found;
  };
  return { get: get as Get, asked };
}
const failed = problem("field_missing", "No x.", { key: "a", version: 2, line: 1, column: 1 });

it("finds the version that a render has failed in", async () => {
  const { source } = await findSources(registry({ "a@2": "{{x}}" }), failed, askedFor("a@staging"));
  expect(source).toEqual({ name: "a@2", body: "{{x}}" });
});

it("finds a partial as a render finds it: under the label, else under production", async () => {
  const world = registry({ "p@production": "old", "q@staging": "new", "q@production": "old" });
  const findings = ["p", "q"].map((partial) => ({
    code: "c",
    message: "m",
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 2,
    partial,
  }));
  const refusal = problem("check_failed", "No.", { key: "a", findings });
  const { partials } = await findSources(world, refusal, { key: "a", version: 2, label: "staging" });
  expect(Object.fromEntries(partials)).toEqual({ p: "old", q: "new" });
  expect(world.asked).not.toContain("a@2");
});

it("names the place all the same where nothing can be fetched", async () => {
  expect(await findSources(registry({}), failed, { key: "a" })).toMatchObject({ source: { name: "a@2" } });
});

it("asks for nothing where a refusal is about no body", async () => {
  const world = registry({});
  await findSources(world, problem("key_not_found", "No."), { key: "a" });
  await findSources(world, problem("bad_request", "No.", { line: 1 }), { key: "a" });
  expect(world.asked).toEqual([]);
});

it("reads what a ref asks for, and a label beside it", () => {
  expect(askedFor("a/b@3")).toEqual({ key: "a/b", version: 3 });
  expect(askedFor("a/b", "x")).toEqual({ key: "a/b", label: "x" });
  expect(askedFor("a b@x").key).toBe("a b@x");
});
