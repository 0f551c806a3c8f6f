import { unwrap, type Client } from "@incipit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await stack.connect();
});
afterAll(() => stack.stop());

describe("a key", () => {
  // langfuse #7961, #8318, litellm #17565 and others: keys that a path, a subject or a proxy reads as something else.
  it.each([
    "..",
    ".",
    "a.b",
    "*",
    ">",
    "a/*",
    "a b",
    "a\tb",
    "a\u0000b",
    "a\u001b[31m",
    "/a",
    "a/",
    "a//b",
    "../etc/passwd",
    "/etc/passwd",
    "а", // a Cyrillic look-alike
    "cafe\u0301",
    "a".repeat(201),
    Array.from({ length: 17 }, () => "a").join("/"),
    "",
  ])("%j is refused by every call, and nothing is stored", async (key) => {
    const { seq } = unwrap(await client.status());
    const calls = [
      client.add(key, { body: "x" }),
      client.activate(key, { version: 1 }),
      client.deactivate(key, {}),
      client.get(key, {}),
      client.versions(key, {}),
      client.activations(key, {}),
      client.render(key, {}),
    ];
    for (const reply of await Promise.all(calls))
      expect(reply).toMatchObject({ ok: false, problem: { code: "bad_key" } });
    expect(unwrap(await client.status()).seq).toBe(seq);
  });

  it.each([
    "a",
    "CHAT_MAIN",
    "_partials/x",
    "0",
    "__proto__",
    "constructor",
    "toString",
    "new",
    "b".repeat(200),
  ])("%s goes all the way: stored, listed, got, rendered", async (key) => {
    const { seq } = unwrap(await client.add(key, { body: `I am ${key}`, activate: true }));
    expect(unwrap(await client.render(key, { minSeq: seq })).text).toBe(`I am ${key}`);
    expect(unwrap(await client.get(key, { minSeq: seq })).body).toBe(`I am ${key}`);
    const { items } = unwrap(await client.list({ prefix: key }));
    expect(items.map((item) => item.key)).toContain(key);
  });

  it("that differs from an existing one only in case is refused", async () => {
    unwrap(await client.add("Team/Greeting", { body: "x" }));
    for (const twin of ["team/greeting", "TEAM/GREETING"]) {
      const reply = await client.add(twin, { body: "y" });
      expect(reply).toMatchObject({ ok: false, problem: { code: "key_conflict" } });
      expect(reply.ok ? "" : reply.problem.message).toContain("Team/Greeting");
    }
    expect(await client.render("team/greeting", {})).toMatchObject({
      ok: false,
      problem: { code: "key_not_found" },
    });
  });

  // mlflow #15383, #17495: a malformed name and a missing one were the same error.
  it("that is malformed is told from one that is missing", async () => {
    expect(await client.get("no/such", {})).toMatchObject({
      ok: false,
      problem: { code: "key_not_found", status: 404 },
    });
    expect(await client.get("no//such", {})).toMatchObject({
      ok: false,
      problem: { code: "bad_key", status: 400 },
    });
  });
});
