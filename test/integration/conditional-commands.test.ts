import { unwrap, type Client } from "@incipit/client";
import type { Problem, Result } from "@incipit/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../support/stack.ts";

const ROUNDS = 25;
const people = ["alice", "bob", "carol"] as const;

let stack: Stack;
let clients: Client[];
beforeAll(async () => {
  stack = await startStack({ registries: 3, renderers: 1 });
  clients = await Promise.all(people.map((name) => stack.connect(name)));
});
afterAll(() => stack.stop());

const one = () => clients[0] as Client;

/** All send at once; the one reply, whose it is, and the refusals of everybody else. */
async function race<T>(send: (client: Client, who: number) => Promise<Result<T>>) {
  const replies = await Promise.all(clients.map((client, who) => send(client, who)));
  const won = replies.flatMap((reply, who) => (reply.ok ? [{ who, reply: reply.value }] : []));
  const lost: Problem[] = replies.flatMap((reply) => (reply.ok ? [] : [reply.problem]));
  expect(won).toHaveLength(1);
  return { ...(won[0] as { who: number; reply: T }), lost };
}

// langfuse PR #15923: people who changed one prompt at once were told of a unique constraint, or overwrote each other.
describe("people who change one key at once, through several registries", () => {
  it("and expect the newest version they saw: one adds, the others are told which is the newest now", async () => {
    unwrap(await one().add("newest", { body: "1" }));
    const answered = new Set<string | null>();
    for (let newest = 1; newest <= ROUNDS; newest++) {
      const { who, reply, lost } = await race((client, n) =>
        client.add("newest", { body: `${newest} by ${people[n]}`, expectNewest: newest }),
      );
      answered.add(reply.instance);
      expect(reply.version).toBe(newest + 1);
      for (const problem of lost) {
        expect(problem).toMatchObject({ code: "conflict", status: 409, key: "newest", path: "expectNewest" });
        expect(problem.message).toContain(
          `The newest version of newest is version ${newest + 1}, not version ${newest} as expected`,
        );
      }
      expect(unwrap(await one().get(`newest@${newest + 1}`, { minSeq: reply.seq }))).toMatchObject({
        body: `${newest} by ${people[who]}`,
        actor: people[who],
      });
    }
    expect(unwrap(await one().versions("newest")).total).toBe(ROUNDS + 1);
    expect(answered.size).toBeGreaterThan(1);
  });

  it("and expect the active version they saw: one activates, the others are told which is active now", async () => {
    for (let version = 1; version <= 4; version++) unwrap(await one().add("active", { body: `v${version}` }));
    unwrap(await one().activate("active", { version: 4 }));
    let active = 4;
    for (let round = 0; round < ROUNDS; round++) {
      // Each wants another version; nobody the active one.
      const wanted = [1, 2, 3, 4].filter((version) => version !== active);
      const { who, reply, lost } = await race((client, n) =>
        client.activate("active", { version: wanted[n] ?? 0, expectActive: active }),
      );
      expect(reply).toMatchObject({ version: wanted[who], previous: active, changed: true });
      for (const problem of lost) {
        expect(problem).toMatchObject({ code: "conflict", status: 409, key: "active", path: "expectActive" });
        expect(problem.message).toContain(
          `The version under production of active is version ${reply.version}, not version ${active} as expected`,
        );
      }
      active = reply.version;
      const rendered = unwrap(await one().render("active", { minSeq: reply.seq }));
      expect(rendered).toMatchObject({ version: active, text: `v${active}` });
    }
    const { items } = unwrap(await one().activations("active", { limit: 200 }));
    expect(items).toHaveLength(ROUNDS + 1);
    // The history is one chain of moves: each began where the one before it ended.
    items.slice(0, -1).forEach((item, at) => expect(item.previous).toBe(items[at + 1]?.version));
  });

  // langsmith #2126: to store and to put live were two steps, with room for somebody else in between.
  it("and add and activate in one go over what they saw active: one does, and nothing goes live over another's", async () => {
    let { version: active } = unwrap(await one().add("release", { body: "0", activate: true }));
    const stored = new Set([active]);
    for (let round = 1; round <= ROUNDS; round++) {
      const { who, reply, lost } = await race((client, n) =>
        client.add("release", { body: `${round} by ${people[n]}`, activate: true, expectActive: active }),
      );
      expect(reply.activated).toBe("production");
      stored.add(reply.version);
      for (const problem of lost) {
        expect(problem).toMatchObject({ code: "conflict", status: 409, key: "release" });
        if (problem.path === "expectActive")
          expect(problem.message).toContain(`is version ${reply.version}, not version ${active} as expected`);
        else {
          // The winner came between its two events: it is told what is stored of it.
          expect(problem.message).toContain(`was moved to version ${reply.version} meanwhile`);
          stored.add(problem.version ?? 0);
        }
      }
      active = reply.version;
      const rendered = unwrap(await one().render("release", { minSeq: reply.seq }));
      expect(rendered).toMatchObject({ version: active, text: `${round} by ${people[who]}` });
    }
    // Of those who lost, nothing is stored that they were not told of, and nothing was ever live.
    const { items } = unwrap(await one().versions("release", { limit: 200 }));
    expect(new Set(items.map(({ version }) => version))).toEqual(stored);
    expect(unwrap(await one().activations("release", { limit: 200 })).items).toHaveLength(ROUNDS + 1);
  });

  it("and expect nothing to be there: one is first", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = `first/${round}`;
      const { reply, lost } = await race((client, n) =>
        client.add(key, { body: people[n] ?? "", activate: true, expectNewest: null, expectActive: null }),
      );
      expect(reply).toMatchObject({ version: 1, activated: "production" });
      for (const problem of lost) expect(problem).toMatchObject({ code: "conflict", path: "expectNewest" });
    }
  });

  it("and take a label away while another moves it: both are told what they did, and the history is whole", async () => {
    for (const body of ["one", "two"]) unwrap(await one().add("label", { body }));
    unwrap(await one().activate("label", { version: 1 }));
    for (let round = 0; round < ROUNDS; round++) {
      const [moved, taken] = await Promise.all([
        clients[1]?.activate("label", { version: 2, expectActive: 1 }),
        clients[2]?.deactivate("label"),
      ]);
      if (moved === undefined || taken === undefined) throw new Error("there are three clients");
      if (moved.ok) {
        // It came first, and the other took away what it had put there.
        expect(unwrap(taken)).toMatchObject({ previous: 2, changed: true });
        expect(unwrap(taken).seq).toBeGreaterThan(moved.value.seq);
      } else {
        expect(moved.problem).toMatchObject({ code: "conflict", path: "expectActive" });
        expect(moved.problem.message).toContain("is none, not version 1 as expected");
        expect(unwrap(taken)).toMatchObject({ previous: 1, changed: true });
      }
      unwrap(await one().activate("label", { version: 1, expectActive: null }));
    }
  });
});
