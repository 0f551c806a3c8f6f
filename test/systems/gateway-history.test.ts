import { unwrap, type Client } from "@incipit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askEveryInstance } from "../support/every-instance.ts";
import { startStack, type Stack } from "../support/stack.ts";

// GW: a prompt store behind a gateway, and what it tells of a key's versions.
const REGISTRIES = 2;

let stack: Stack;
let client: Client;
let agent: Client;
beforeAll(async () => {
  stack = await startStack({ registries: REGISTRIES, renderers: 0 });
  client = await stack.connect("alice");
  agent = await stack.connect("agent");
});
afterAll(() => stack.stop());

describe("GW-13 history:", () => {
  const key = "gw13";
  const TOTAL = 500;
  const descending = (from: number, to: number) =>
    Array.from({ length: Math.max(0, from - to + 1) }, (_, n) => from - n);
  let minSeq: number;
  beforeAll(async () => {
    const added = await Promise.all(
      Array.from({ length: TOTAL }, (_, n) => client.add(key, { body: `${n}` })),
    );
    minSeq = Math.max(...added.map((reply) => unwrap(reply).seq));
  });

  const page = async (options: { limit?: number; before?: number; after?: number }, of = key) => {
    const { items, ...rest } = unwrap(await agent.versions(of, { minSeq, ...options }));
    return { versions: items.map(({ version }) => version), ...rest };
  };
  /** Walks from a cursor on until there is no further page that way; the pages in the order they came. */
  async function walk(
    way: "before" | "after",
    limit: number,
    from: number | null,
    { of = key, between = async () => {} } = {},
  ) {
    const pages: number[][] = [];
    for (let cursor = from; cursor !== null;) {
      const { versions, ...cursors } = await page({ limit, [way]: cursor }, of);
      expect(versions).toEqual(versions.toSorted((a, b) => b - a));
      pages.push(versions);
      await between();
      cursor = cursors[way];
    }
    return pages;
  }

  it("comes highest first, 50 unless told otherwise, with version numbers as cursors", async () => {
    expect(await page({})).toEqual({
      versions: descending(500, 451),
      key,
      total: TOTAL,
      before: 451,
      after: null,
      instance: expect.any(String),
    });
    expect(await page({ limit: 7, before: 451 })).toMatchObject({
      versions: descending(450, 444),
      total: TOTAL,
      before: 444,
      after: 450,
    });
    expect(await page({ limit: 7, after: 100 })).toMatchObject({
      versions: descending(107, 101),
      before: 101,
      after: 107,
    });
    expect(await page({ before: 1 })).toMatchObject({
      versions: [],
      before: null,
      after: null,
      total: TOTAL,
    });
    expect(await page({ after: 500 })).toMatchObject({
      versions: [],
      before: null,
      after: null,
      total: TOTAL,
    });
  });

  it.each([1, 2, 7, 50, 199, 200])(
    "walked down and up by %i shows each version exactly once",
    async (limit) => {
      const first = await page({ limit });
      const down = [first.versions, ...(await walk("before", limit, first.before))];
      expect(down.flat()).toEqual(descending(500, 1));
      expect(down.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      const last = down.at(-1) ?? [];
      const up = [last, ...(await walk("after", limit, last[0] ?? null))];
      expect(up.toReversed().flat()).toEqual(descending(500, 1));
    },
  );

  it("neither repeats nor loses a version where others are added between two pages", async () => {
    const moving = "gw13-moving";
    let newest = 0;
    const add = async () => {
      const { version, seq } = unwrap(await client.add(moving, { body: `${++newest}` }));
      expect(version).toBe(newest);
      minSeq = Math.max(minSeq, seq);
    };
    for (let n = 0; n < 30; n++) await add();
    expect((await walk("before", 4, 30, { of: moving, between: add })).flat()).toEqual(descending(29, 1));
    const until = newest;
    let adds = 3; // fewer than a page holds: the walk comes to an end
    const up = await walk("after", 4, 1, {
      of: moving,
      between: async () => void (adds-- > 0 && (await add())),
    });
    expect(up.toReversed().flat()).toEqual(descending(until + 3, 2));
  });

  it.each([0, 201, -1, 1.5, "5", null])("of a page of %j is a bad request", async (limit) => {
    const reply = await agent.versions(key, { limit: limit as number });
    expect(reply).toMatchObject({ ok: false, problem: { code: "bad_request", status: 400, path: "limit" } });
  });

  it("with both cursors is a bad request, and from an unknown one not found", async () => {
    expect(await agent.versions(key, { before: 9, after: 3 })).toMatchObject({
      problem: { code: "bad_request", status: 400 },
    });
    for (const cursor of [{ before: 501 }, { after: 501 }, { before: 0 }, { after: 0 }])
      expect(await agent.versions(key, { minSeq, ...cursor })).toMatchObject({
        ok: false,
        problem: { code: "version_not_found", status: 404, key, version: cursor.before ?? cursor.after },
      });
    expect(await agent.versions("gw13-none")).toMatchObject({ problem: { code: "key_not_found" } });
  });

  it("is never an older one: whichever registry answers, what was just added is there", async () => {
    for (let total = 1; total <= 20; total++) {
      const { seq } = unwrap(await client.add("gw13-fresh", { body: `${total}` }));
      const replies = await askEveryInstance(REGISTRIES, async () =>
        unwrap(await agent.versions("gw13-fresh", { minSeq: seq })),
      );
      for (const reply of replies) expect([reply.total, reply.items[0]?.version]).toEqual([total, total]);
    }
  });
});
