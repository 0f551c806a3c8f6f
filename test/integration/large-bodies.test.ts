import { unwrap, type Client } from "@incipit/client";
import { LIMITS, parseErrorReply } from "@incipit/schema";
import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

// mlflow #16287, PR #16377, #10051, langflow #8149: texts were cut, or refused without a name, at limits nobody had written down.
let stack: Stack;
let client: Client;
let nats: NatsConnection;
beforeAll(async () => {
  stack = await startStack();
  client = await stack.connect("alice");
  nats = await connect({ servers: stack.url });
});
afterAll(async () => {
  await nats.close();
  await stack.stop();
});

const lastSeq = async () => unwrap(await client.status()).seq;
/** What the registry itself says, past the client's own look at the size. */
async function addRaw(key: string, body: string) {
  const payload = JSON.stringify({ body, syntax: "plain" });
  const reply = await nats.request(`prompt.cmd.alice.add.${key}`, payload, { timeout: 10_000 });
  return parseErrorReply(JSON.parse(new TextDecoder().decode(reply.data)));
}

describe("a body", () => {
  it.each([
    ["5 KB", 5_000],
    ["100 KB", 100_000],
    ["just the limit", LIMITS.bodyBytes],
  ])("of %s is stored and rendered whole", async (name, bytes) => {
    const body = `${"x".repeat(bytes - 1)}!`;
    const key = `fits-${name.replaceAll(" ", "-")}`;
    const { seq } = unwrap(await client.add(key, { body, syntax: "plain", activate: true }));
    expect(unwrap(await client.render(key, { minSeq: seq })).text === body).toBe(true);
    expect(unwrap(await client.get(key, { minSeq: seq })).body === body).toBe(true);
  });

  it.each([
    ["one byte over the limit", LIMITS.bodyBytes + 1],
    ["900 KB", 900_000],
    ["1.1 MB", 1_100_000],
  ])(
    "of %s is refused by name, by the client and by the registry, and nothing is stored",
    async (_, bytes) => {
      const before = await lastSeq();
      const body = "x".repeat(bytes);
      const since = performance.now();
      const problems = [
        await client.add("over", { body, syntax: "plain" }),
        { problem: await addRaw("over", body) },
      ];
      expect(performance.now() - since).toBeLessThan(10_000);
      for (const reply of problems) {
        expect(reply).toMatchObject({ problem: { code: "too_large", status: 413, key: "over" } });
        const { message } = (reply as { problem: { message: string } }).problem;
        expect(message).toContain(String(LIMITS.bodyBytes));
      }
      expect(await lastSeq()).toBe(before);
      expect(await client.get("over")).toMatchObject({ problem: { code: "key_not_found" } });
    },
  );

  it("counts in bytes of UTF-8, not in characters", async () => {
    const fits = "\u00e4".repeat(LIMITS.bodyBytes / 2);
    expect((await client.add("umlauts", { body: fits, syntax: "plain" })).ok).toBe(true);
    expect(await client.add("umlauts", { body: `${fits}\u00e4`, syntax: "plain" })).toMatchObject({
      problem: { code: "too_large" },
    });
  });
});

it("a message over what the server takes is refused by name before it is sent, and the connection goes on", async () => {
  const body = "x".repeat(9 * 1024 * 1024);
  const reply = await client.check(null, { body });
  expect(reply).toMatchObject({ ok: false, problem: { code: "too_large", status: 413 } });
  expect(unwrap(await client.check(null, { body: "small" })).findings).toEqual([]);
});
