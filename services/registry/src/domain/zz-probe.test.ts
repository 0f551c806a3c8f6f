import { expect, test } from "vitest";
import { activated, added, published } from "../../testing/records.ts";
import { activate, add, publish } from "../../testing/requests.ts";
import { emptyProjection, given, projectionOptions } from "../../testing/scenario.ts";
import { createRecords } from "../../testing/records.ts";
import { decide } from "./decide.ts";
import { parseTemplate, listVariables, writeContractReference } from "@incipit/templates";
import { parseContract } from "@incipit/schema";
import { canonicalJson } from "./canonical.ts";

const text = { type: "string", description: "d" };
const doc = (required: string[], properties: Record<string, object>) => ({ type: "object", properties, required });
const on = { contract: "c" };
const partial = { kind: "partial" as const };
const bytes = (v: unknown) => Buffer.byteLength(JSON.stringify(v));
function project(events: any[]) {
  const log = createRecords();
  const p = emptyProjection();
  p.applyBatch(events.map((e) => log.push(e)));
  return p;
}
function timed<T>(name: string, f: () => T): T { const t = performance.now(); const r = f(); console.log(name, Math.round(performance.now() - t), "ms"); return r; }

test("publish with 1000 affected", { timeout: 600000 }, () => {
  const big: Record<string, object> = {};
  for (let i = 0; i < 60; i++) big[`field_number_${i}_${"ж".repeat(20)}`] = text;
  const keys = Object.keys(big);
  const props = { ...big, nick: text, x: text, y: text };
  const strict = doc([...keys, "nick", "x", "y"], props);
  const wide = doc([...keys], props);
  const events: any[] = [published("c", 1, strict)];
  for (let i = 0; i < 300; i++) events.push(added(`t${i}`, 1, `${i} ${keys.map((k) => `{{${k}}}`).join("")}{{nick}} {{x}} {{y}}`, on), activated(`t${i}`, 1));
  const p = project(events);
  const c = publish("c", wide, { dryRun: true });
  const facts = timed("load", () => p.loadFacts(c));
  const d: any = timed("publish 300 affected", () => decide(facts, c, parseTemplate));
  console.log("publish reply", bytes(d), d.ok, d.value?.reply?.affectedCount);
});

test("activate a partial that breaks 300", { timeout: 600000 }, () => {
  const strict = doc(["name"], { name: text, nick: text });
  const events: any[] = [published("c", 1, strict), added("p", 1, "{{name}}", partial), activated("p", 1), added("p", 2, "{{nick}}{{nick}}{{nick}}", partial)];
  for (let i = 0; i < 300; i++) events.push(added(`t${i}`, 1, `${i} {{> p}}`, on), activated(`t${i}`, 1));
  const pr = project(events);
  const c = activate("p", 2);
  const facts = timed("load", () => pr.loadFacts(c));
  const d: any = timed("activate breaks 300", () => decide(facts, c, parseTemplate));
  console.log("activate refusal", bytes(d), d.ok, d.problem?.code);
});

test("warnings", { timeout: 600000 }, () => {
  const strict = doc(["name"], { name: text, nick: text });
  const pr = project([published("c", 1, strict)]);
  for (const body of [
    "{{#if name}}{{#unless name}}x{{/unless}}{{/if}}".repeat(4000),
    "{{#if name}}" + "{{#unless name}}x{{/unless}}".repeat(8000) + "{{/if}}",
  ]) {
    const c = add("a", body, { settings: on, dryRun: true });
    const d: any = timed("warn", () => decide(pr.loadFacts(c), c, parseTemplate));
    console.log("warnings reply", body.length, bytes(d), d.ok, d.problem?.message?.slice(0, 200), d.value?.reply?.warnings?.length);
  }
});

test("findings sizes", { timeout: 600000 }, () => {
  const long = "n".repeat(60000);
  const p1 = parseContract("c", doc([], { [long]: text }));
  console.log("long name accepted?", p1.ok, p1.ok ? "" : p1.problem.message.slice(0, 200));
  if (p1.ok) {
    const pr = project([published("c", 1, doc([], { [long]: text }))]);
    for (const [what, body] of [["misspelt", `{{${long}x}}`], ["many", "{{nope}}".repeat(200)], ["long", `{{${long}}}`]] as const) {
      const c = add("a", body, { settings: on, dryRun: true });
      const d: any = timed(what, () => decide(pr.loadFacts(c), c, parseTemplate));
      console.log(what, bytes(d), d.ok, d.problem?.code, d.problem?.message?.length);
    }
    console.log("reference", Buffer.byteLength(writeContractReference(p1.value, 1)));
  }
});

test("two hundred witnesses", { timeout: 600000 }, () => {
  const names = Array.from({ length: 30 }, (_, i) => `f${i}${"ж".repeat(80)}`);
  const props: Record<string, object> = { nick: text };
  for (const n of names) props[n] = text;
  const pr = project([published("c", 1, doc(names, props))]);
  const body = "{{nick}} ".repeat(200) + names.map((n) => `{{${n}}}`).join("");
  const c = add("a", body, { settings: on, dryRun: true, activate: "production" });
  const d: any = timed("200", () => decide(pr.loadFacts(c), c, parseTemplate));
  console.log("refusal", bytes(d), d.ok, d.problem?.findings?.length);
});

test("variables", { timeout: 600000 }, () => {
  let body = "", close = "";
  for (let i = 0; i < 60; i++) { body += `{{#each ${"v".repeat(60)}${i}}}`; close += "{{/each}}"; }
  for (let i = 0; i < 20000; i++) body += `{{x${i}}}`;
  const parsed = parseTemplate(body + close, "handlebars");
  console.log("variables", parsed.ok, parsed.ok && bytes([...timed("list", () => listVariables(parsed.value))]));
});

test("document and hash", () => {
  const d = { $defs: { N: { type: "object", properties: { a: { ...text, description: " d " } }, required: ["a"] } }, type: "object", description: "root", properties: { n: { $ref: "#/$defs/N", description: "e" } } };
  const p = parseContract("c", d);
  console.log(p.ok, p.ok ? canonicalJson(p.value.document as any) === canonicalJson(d as any) : p.problem.message);
});
