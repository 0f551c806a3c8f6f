import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Syntax } from "@incipit/schema";
import { linkTemplate } from "./link-template.ts";
import { parseTemplate } from "./parse-template.ts";
import { render } from "./render.ts";

type Body = string | { syntax: Syntax; body: string };
type Case = {
  name: string;
  template: string;
  syntax?: Syntax;
  partials?: Record<string, Body>;
  context?: Record<string, unknown>;
  text?: string;
  problem?: Record<string, unknown>;
  findings?: Record<string, unknown>[];
};

const FOLDER = fileURLToPath(new URL("../spec/", import.meta.url));

function run({ template, syntax = "handlebars", partials = {}, context = {} }: Case) {
  const parsed = parseTemplate(template, syntax);
  if (!parsed.ok) return parsed;
  const all: Record<string, Body> = { root: { syntax, body: template }, ...partials };
  let refused: ReturnType<typeof parseTemplate> | undefined;
  const linked = linkTemplate("root", parsed.value, (key) => {
    const body = Object.hasOwn(all, key) ? all[key] : undefined;
    if (body === undefined) return undefined;
    const partial =
      typeof body === "string" ? parseTemplate(body, "handlebars") : parseTemplate(body.body, body.syntax);
    if (!partial.ok) {
      refused = partial;
      return undefined;
    }
    return { key, version: 1, parsed: partial.value };
  });
  if (refused?.ok === false) return refused;
  return linked.ok ? render(linked.value, context) : linked;
}

describe.each(readdirSync(FOLDER).filter((file) => file.endsWith(".yaml")))("%s", (file) => {
  const cases = parse(readFileSync(FOLDER + file, "utf8"), { schema: "core" }) as Case[];
  it("names each case once", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
  it.each(cases)("$name", (one) => {
    const result = run(one);
    if (one.text !== undefined) {
      expect(result.ok ? result.value.text : result.problem).toBe(one.text);
      return;
    }
    if (result.ok) expect.fail(`rendered ${JSON.stringify(result.value.text)}`);
    if (one.problem !== undefined) expect(result.problem).toMatchObject(one.problem);
    else {
      expect(result.problem).toMatchObject({ code: "check_failed" });
      expect(result.problem.findings).toMatchObject(one.findings ?? []);
    }
  });
});
