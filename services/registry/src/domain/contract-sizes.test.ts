import { expect, test } from "vitest";
import { activated, added, createRecords, published } from "../../testing/records.ts";
import { activate, add, publish } from "../../testing/requests.ts";
import { emptyProjection, given } from "../../testing/scenario.ts";
import { parseTemplate } from "@incipit/templates";
import { decide } from "./decide.ts";

/** Templates written against the contract, all active. */
const USERS = 120;
/** Findings of a reply that show a context. */
const SHOWN = 20;

const text = { type: "string", description: "d" };
const document = (required: string[]) => ({
  type: "object",
  properties: { name: text, nick: text, more: text },
  required,
});
const on = { contract: "c" };
const names = Array.from({ length: USERS }, (_, i) => `t${i}`);
const users = (body: string) => names.flatMap((key) => [added(key, 1, body, on), activated(key, 1)]);

/** A projection of a history that is too long for each step of it to be looked at. */
function projectionOf(history: Parameters<typeof given>) {
  const log = createRecords();
  const projection = emptyProjection();
  projection.applyBatch(history.map((event) => log.push(event)));
  return projection;
}

test("publish counts all that no longer pass, lists the first 100, and looks for contexts of the first findings only", () => {
  const projection = projectionOf([
    published("c", 1, document(["name", "nick", "more"])),
    ...users("{{nick}}{{more}}"),
  ]);
  const command = publish("c", document(["name"]), { dryRun: true });
  const decided = decide(projection.loadFacts(command), command, parseTemplate);
  if (!decided.ok || decided.value.type !== "reply")
    throw new Error("it is a dry run, and is refused by none");
  const { affected, affectedCount } = decided.value.reply;
  expect([affected.length, affectedCount]).toEqual([100, USERS]);
  const findings = affected.flatMap((one) => one.findings);
  expect(findings).toHaveLength(200);
  expect(findings.map(({ witness }) => witness !== undefined)).toEqual(findings.map((_, i) => i < SHOWN));
});

test("the refusal of a partial that breaks many names them all, and shows the contexts of the first only", () => {
  const projection = projectionOf([
    published("c", 1, document(["name"])),
    added("p", 1, "{{name}}", { kind: "partial" }),
    activated("p", 1),
    added("p", 2, "{{nick}}", { kind: "partial" }),
    ...users("{{> p}}"),
  ]);
  const command = activate("p", 2);
  const decided = decide(projection.loadFacts(command), command, parseTemplate);
  if (decided.ok) throw new Error("it was not refused");
  const { findings = [] } = decided.problem;
  expect(findings).toHaveLength(USERS);
  expect(findings.map(({ witness }) => witness !== undefined)).toEqual(findings.map((_, i) => i < SHOWN));
});

test("of more than 100 warnings a reply lists the first, and says how many there are besides", () => {
  const body = `{{#if name}}${"{{#unless name}}x{{/unless}}".repeat(150)}{{/if}}`;
  const warnings = [
    ...Array.from({ length: 100 }, () => expect.stringMatching(/^unreachable 1:/)),
    "and 50 more",
  ];
  given(published("c", 1, document(["name"])))
    .when(add("a", body, { settings: on, dryRun: true }))
    .thenReply({ warnings });
});
