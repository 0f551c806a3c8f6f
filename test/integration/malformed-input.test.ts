import { unwrap, type Client } from "@incipit/client";
import { isErrorCode, parseErrorReply, type ErrorCode } from "@incipit/schema";
import fc from "fast-check";
import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let client: Client;
let nats: NatsConnection;
beforeAll(async () => {
  stack = await startStack();
  client = await stack.connect();
  nats = await connect({ servers: stack.url });
  unwrap(await client.add("known", { body: "Hello {{name}}", activate: true }));
});
afterAll(async () => {
  await nats.close();
  await stack.stop();
});

const bytes = (value: string | Uint8Array) =>
  typeof value === "string" ? new TextEncoder().encode(value) : value;
const ask = async (subject: string, payload: string | Uint8Array) => {
  const reply = await nats.request(subject, bytes(payload), { timeout: 10_000 });
  const body: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(reply.data));
  return { body, problem: parseErrorReply(body), headers: reply.headers };
};

const subjects = {
  add: "prompt.cmd.alice.add.known",
  activate: "prompt.cmd.alice.activate.known",
  deactivate: "prompt.cmd.alice.deactivate.known",
  get: "prompt.query.get.known",
  versions: "prompt.query.versions.known",
  activations: "prompt.query.activations.known",
  list: "prompt.query.list",
  status: "prompt.query.status",
  render: "prompt.render.known",
};

const notARequest: [string, string | Uint8Array][] = [
  ["not JSON", "{oops"],
  ["a list", "[1]"],
  ["a string", '"x"'],
  ["null", "null"],
  ["a number", "7"],
  ["an unknown field", '{"nope":1}'],
  ["a field named __proto__", '{"__proto__":{"body":"x"}}'],
  ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ["a cut multi-byte character", new Uint8Array([0x22, 0xe2, 0x82])],
  ["a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ["JSON nested 50,000 deep", "[".repeat(50_000) + "]".repeat(50_000)],
  ["an object nested 50,000 deep", '{"context":'.repeat(50_000) + "1" + "}".repeat(50_000)],
  ["NUL bytes", "\u0000\u0000"],
];

describe.each(Object.entries(subjects))("%s", (_, subject) => {
  it.each(notARequest)("refuses %s as bad_request, in NATS's own error headers too", async (__, payload) => {
    const { seq } = unwrap(await client.status());
    const { problem, headers } = await ask(subject, payload);
    expect(problem).toMatchObject({ code: "bad_request", status: 400 });
    expect(headers?.get("Nats-Service-Error-Code")).toBe("400");
    expect(headers?.get("Nats-Service-Error")).not.toBe("");
    expect(unwrap(await client.status()).seq).toBe(seq);
  });
});

describe("wrong requests", () => {
  it.each<[string, string, string, ErrorCode]>([
    ["an unknown verb of a command", "prompt.cmd.alice.explode.known", "{}", "bad_request"],
    ["an unknown verb of a query", "prompt.query.explode.known", "{}", "bad_request"],
    ["a verb that is an object's own member", "prompt.query.constructor.known", "{}", "bad_request"],
    ["no verb", "prompt.cmd.alice", "{}", "bad_request"],
    ["no key", "prompt.cmd.alice.add", "{}", "bad_key"],
    ["a query that needs a key and has none", "prompt.query.get", "{}", "bad_request"],
    ["a bad actor", "prompt.cmd.al$ice.add.known", '{"body":"x"}', "bad_request"],
    ["a bad key in a command", "prompt.cmd.alice.add.kn$own", '{"body":"x"}', "bad_key"],
    ["a bad key in a query", "prompt.query.get.kn$own", "{}", "bad_key"],
    ["a bad key in a render", "prompt.render.kn$own", "{}", "bad_key"],
    ["a key of 201 characters", `prompt.render.${"a".repeat(201)}`, "{}", "bad_key"],
    ["a key of 17 segments", `prompt.render.${"a.".repeat(16)}a`, "{}", "bad_key"],
    ["a key with a look-alike letter", "prompt.cmd.alice.add.\u0430", '{"body":"x"}', "bad_key"],
    ["a key with a control character", "prompt.query.get.a\u0007b", "{}", "bad_key"],
    ["a key with a combining accent", "prompt.render.cafe\u0301", "{}", "bad_key"],
    [
      "a key in other case than an existing one",
      "prompt.cmd.alice.add.KNOWN",
      '{"body":"x"}',
      "key_conflict",
    ],
    ["a body of 257 KiB", subjects.add, JSON.stringify({ body: "x".repeat(257 * 1024) }), "too_large"],
    [
      "a context over 512 KiB",
      subjects.render,
      JSON.stringify({ context: { name: "x".repeat(512 * 1024) } }),
      "too_large",
    ],
    [
      "a template that nests too deep",
      subjects.add,
      JSON.stringify({ body: "{{#if a}}".repeat(4_000) }),
      "limit_exceeded",
    ],
    ["a slash in a subject", "prompt.render.a/b", "{}", "bad_key"],
    ["a body that is no text", subjects.add, '{"body":7}', "bad_request"],
    ["an empty payload where a body is needed", subjects.add, "", "bad_request"],
    ["a blank body", subjects.add, '{"body":" \\n"}', "check_failed"],
    ["a label like a version", subjects.activate, '{"version":1,"label":"3"}', "bad_request"],
    ["a version that is no integer", subjects.activate, '{"version":1.5}', "bad_request"],
    ["an unknown version", subjects.activate, '{"version":99}', "version_not_found"],
    ["a context that is a list", subjects.render, '{"context":[]}', "bad_request"],
    ["a label and a version", subjects.render, '{"label":"a","version":1}', "bad_request"],
    ["a pin on what is no key", subjects.render, '{"pins":{"a b":1}}', "bad_key"],
    ["both cursors", subjects.versions, '{"before":3,"after":1}', "bad_request"],
    ["a page of 0", subjects.versions, '{"limit":0}', "bad_request"],
    ["a page of 201", subjects.versions, '{"limit":201}', "bad_request"],
    ["an unknown cursor", subjects.versions, '{"before":99}', "version_not_found"],
    ["a position of the far future", subjects.get, '{"minSeq":999999,"timeoutMs":50}', "not_caught_up"],
    [
      "a render from the far future",
      subjects.render,
      '{"minSeq":999999,"timeoutMs":50,"context":{"name":"a"}}',
      "not_caught_up",
    ],
  ])("%s is answered: %#", async (_, subject, payload, code) => {
    const { seq } = unwrap(await client.status());
    const { problem } = await ask(subject, payload);
    expect(problem?.code).toBe(code);
    expect(problem?.message).toMatch(/\w/);
    expect(unwrap(await client.status()).seq).toBe(seq);
  });

  it.each([
    ["the registry", "prompt.cmd.mallory.add.log$line", "bad_key"],
    ["the registry", "prompt.query.logline.a", "bad_request"],
    ["a renderer", "prompt.render.log$line", "bad_key"],
  ])("that are malformed leave a line in the log of %s: %s", async (_, subject, code) => {
    await ask(subject, "{}");
    const [service] = subject.includes(".render.") ? stack.renderers : stack.registries;
    const line = await service?.line((candidate) => candidate["subject"] === subject);
    expect(line).toMatchObject({ code, msg: "refused" });
  });
});

describe("10,000 messages of nonsense", () => {
  const token = fc.oneof(
    fc.constantFrom(
      "known",
      "add",
      "alice",
      "get",
      "a",
      "__proto__",
      "constructor",
      "0",
      "-",
      "$",
      "é",
      "%2F",
    ),
    fc.stringMatching(/^[!-)+-=?-~]{1,12}$/).filter((text) => !text.includes(".")),
  );
  const subject = fc
    .tuple(
      fc.constantFrom("prompt.cmd", "prompt.query", "prompt.render"),
      fc.array(token, { minLength: 1, maxLength: 20 }),
    )
    .map(([head, tokens]) => `${head}.${tokens.join(".")}`);
  const known = fc.constantFrom(...Object.values(subjects));
  const fields = [
    "body",
    "version",
    "label",
    "context",
    "pins",
    "limit",
    "before",
    "minSeq",
    "tags",
    "config",
    "activate",
  ];
  // Never a valid command: each object holds a field that no request has.
  const wrongObject = fc
    .dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 4 }))
    .map((value) => JSON.stringify({ ...value, "no such field": true }));
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((raw) => new Uint8Array([0xff, ...raw])),
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => `~${text}`),
    wrongObject,
    wrongObject.map((text) => text.slice(0, -1)),
  );

  it("are each answered with a code of the closed list, and both services go on", async () => {
    const seed = Date.now() % 2 ** 31;
    console.log(`nonsense of seed ${seed}`);
    const messages = fc.sample(fc.tuple(fc.oneof(subject, known), payload), { numRuns: 10_000, seed });
    const { seq } = unwrap(await client.status());
    const next = messages.values();
    const codes = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (const [to, data] of next) {
          const { problem } = await ask(to, data);
          const code = problem?.code ?? "none";
          codes.set(code, (codes.get(code) ?? 0) + 1);
          if (!isErrorCode(code) || code === "internal" || code === "timeout" || code === "no_responders")
            throw new Error(`${to} was answered with ${code} (seed ${seed})`);
        }
      }),
    );
    expect([...codes.values()].reduce((sum, n) => sum + n)).toBe(10_000);
    expect(unwrap(await client.status()).seq).toBe(seq);
    expect(unwrap(await client.render("known", { context: { name: "you" } })).text).toBe("Hello you");
  });
});
