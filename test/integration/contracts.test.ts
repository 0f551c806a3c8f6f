import { readFile } from "node:fs/promises";
import { unwrap, type Client } from "@incipit/client";
import { defineContract } from "@incipit/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startStack, type Stack } from "../support/stack.ts";

const person = z.object({
  name: z.string().min(1).describe("The name."),
  about: z.string().optional().describe("In their own words."),
});
const shared = {
  organization: z.object({ name: z.string().describe("Its name.") }).describe("The organization."),
  greeting: z.string().default("Hello").describe("How to greet."),
};
const mission = defineContract(
  "mission",
  z.union([
    z
      .object({
        ...shared,
        task: z
          .object({ title: z.string().describe("Its title."), creator: person.describe("Who wrote it.") })
          .describe("The task."),
      })
      .meta({ title: "A run on a task" }),
    z
      .object({
        ...shared,
        conversation: z.object({ person: person.describe("Whom it is with.") }).describe("The conversation."),
      })
      .meta({ title: "A human conversation" }),
    z.object(shared).meta({ title: "An agent conversation" }),
  ]),
);
const on = { contract: "mission" };
const organization = { name: "Lanternworks" };

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ registries: 2, renderers: 2 });
  client = await stack.connect("alice");
  unwrap(await client.publish("mission", { document: mission.document, note: "first" }));
});
afterAll(() => stack.stop());

const refusal = async (answer: Promise<{ ok: boolean; problem?: unknown }>) => (await answer).problem;

it("the guide's document is what the guide's code makes", async () => {
  const guide = await readFile(new URL("../../docs/guides/contracts.md", import.meta.url), "utf8");
  const document: unknown = JSON.parse(/```json\n([^]*?)```/.exec(guide)?.[1] ?? "");
  const code = /```ts\n([^]*?)```/.exec(guide)?.[1] ?? "";
  const body = code.replaceAll(/^import .*$/gm, "").replace("export const triage =", "return");
  // The page's own code, which this repository ships.
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- see above
  const run = new Function("defineContract", "z", body) as (...given: unknown[]) => { document: unknown };
  expect(run(defineContract, z).document).toEqual(document);
});

describe("a template over a contract", () => {
  it("that reads what a variant does not have is refused, with the variant and a context, and nothing is stored", async () => {
    const before = unwrap(await client.status()).seq;
    expect(await refusal(client.add("role", { body: "Do {{task.title}}.", ...on }))).toMatchObject({
      code: "check_failed",
      findings: [
        {
          code: "read_through_null",
          line: 1,
          column: 11,
          message: expect.stringContaining("A human conversation") as unknown,
          witness: {
            variant: "An agent conversation",
            context: { organization: {} },
            fails: { code: "field_missing" },
          },
        },
      ],
    });
    expect(unwrap(await client.status()).seq).toBe(before);
  });

  it("that guards is stored, put live, and rendered by every renderer with defaults and without what is not listed", async () => {
    const body =
      "{{greeting}} {{#if conversation}}{{conversation.person.name}}{{else if task}}{{task.title}}{{else}}{{organization.name}}{{/if}} {{json @root}}";
    const { seq } = unwrap(await client.add("guarded", { body, ...on, activate: true }));
    for (const context of [
      { organization, task: { title: "T", creator: { name: "Ada" } } },
      { organization, conversation: { person: { name: "Bo" } } },
      { organization, env: { TOKEN: "secret" } },
    ]) {
      for (let at = 0; at < 4; at++) {
        const reply = unwrap(await client.render("guarded", { context, minSeq: seq }));
        expect(reply.contract).toEqual({ name: "mission", version: 1 });
        expect(reply.text).toMatch(/^Hello (T|Bo|Lanternworks) \{/);
        expect(reply.text).not.toContain("secret");
      }
    }
  });

  it("is not rendered with a context that does not fit", async () => {
    const { seq } = unwrap(
      await client.add("strict", { body: "{{organization.name}}", ...on, activate: true }),
    );
    expect(
      await refusal(client.render("strict", { context: { organization: { name: 7 } }, minSeq: seq })),
    ).toMatchObject({
      code: "bad_context",
      path: "organization.name",
      key: "strict",
      version: 1,
    });
  });

  it("whose partial would break it keeps the partial from being activated", async () => {
    unwrap(
      await client.add("_partials/who", { body: "{{organization.name}}", kind: "partial", activate: true }),
    );
    unwrap(await client.add("user", { body: "{{> _partials/who}}", ...on, activate: true }));
    const { version } = unwrap(await client.add("_partials/who", { body: "{{task.creator.name}}" }));
    expect(await refusal(client.activate("_partials/who", { version }))).toMatchObject({
      code: "check_failed",
      findings: [{ message: expect.stringContaining("user@1 would break under production") as unknown }],
    });
  });
});

describe("a contract", () => {
  it("is told as it was published, with its reference for authors", async () => {
    expect(unwrap(await client.contract("mission"))).toMatchObject({
      version: 1,
      document: mission.document,
      note: "first",
    });
    expect(unwrap(await client.contracts()).items.map(({ name }) => name)).toContain("mission");
    const { markdown } = unwrap(await client.reference("mission"));
    expect(markdown).toContain("## Variant: A human conversation");
    expect(unwrap(await client.check(null, { body: "{{nope}}", ...on })).findings).toMatchObject([
      { code: "unknown_field" },
    ]);
  });

  it("may not be narrowed", async () => {
    const narrower = defineContract(
      "mission",
      z.object({ organization: z.object({ name: z.string().describe("d") }).describe("d") }),
    );
    expect(await refusal(client.publish("mission", { document: narrower.document }))).toMatchObject({
      code: "contract_narrowed",
    });
  });

  it("that is widened lists who no longer passes; they render where they can, and are refused at the next edit", async () => {
    const before = defineContract(
      "widening",
      z.object({ name: z.string().describe("d"), nick: z.string().describe("d") }),
    );
    const after = defineContract(
      "widening",
      z.object({ name: z.string().describe("d"), nick: z.string().optional().describe("d") }),
    );
    unwrap(await client.publish("widening", { document: before.document }));
    const body = "Hi\n{{nick}}";
    unwrap(await client.add("old", { body, contract: "widening", activate: true }));
    const published = unwrap(await client.publish("widening", { document: after.document }));
    expect(published).toMatchObject({
      version: 2,
      affectedCount: 1,
      affected: [
        { key: "old", version: 1, label: "production", findings: [{ code: "null_printed", line: 2 }] },
      ],
    });
    const minSeq = published.seq;
    expect(unwrap(await client.render("old", { context: { name: "a", nick: "N" }, minSeq }))).toMatchObject({
      text: "Hi\nN",
      contract: { version: 2 },
    });
    expect(await refusal(client.render("old", { context: { name: "a" }, minSeq }))).toMatchObject({
      code: "render_failed",
      key: "old",
      version: 1,
      line: 2,
      column: 3,
    });
    expect(await refusal(client.add("old", { body: `${body}!`, contract: "widening" }))).toMatchObject({
      code: "check_failed",
    });
  });

  it("is projected again from the log after the file is lost", async () => {
    const known = unwrap(await client.contract("mission"));
    const { rm } = await import("node:fs/promises");
    for (const at of [0, 1]) {
      await stack.registries[at]?.end();
      await rm(stack.databaseOf(at), { force: true });
    }
    for (const at of [0, 1]) await stack.startRegistry(at);
    const { instance: _, ...again } = unwrap(await client.contract("mission"));
    expect(again).toEqual((({ instance: __, ...rest }) => rest)(known));
  });
});
