import { DEFAULT_SETTINGS, ok, refuse, type AddReply } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { foresee } from "./dry-run.ts";
import type { ImportFile } from "./plan.ts";

const file = (key: string): ImportFile => ({
  path: `${key}.md`,
  file: { key, body: key, settings: DEFAULT_SETTINGS },
});
const reply = (key: string, isSame: boolean): AddReply => ({
  key,
  version: 1,
  hash: "00",
  seq: 1,
  created: "2026-01-01T00:00:00.000Z",
  activated: null,
  findings: [],
  warnings: [],
  ...(isSame && { unchanged: true }),
});

/** Foresees `p` and `q`, then `user` of `p`, then `outer` of `user`, and `other` of `q`. */
async function run(says: Record<string, "same" | "bad_key" | "unavailable">) {
  const asked: string[] = [];
  const foreseen = await foresee(
    {
      waves: [["p", "q"].map(file), ["user", "other"].map(file), ["outer"].map(file)],
      needs: new Map([
        ["user", ["p"]],
        ["other", ["q"]],
        ["outer", ["user"]],
      ]),
    },
    {
      ask: async ({ file: { key, body } }) => {
        asked.push(body === key ? key : `${key} without its body`);
        const said = says[key];
        return said === undefined || said === "same" ? ok(reply(key, said === "same")) : refuse(said, "no");
      },
      compare: async () => "unchanged",
      activeBefore: new Map(),
    },
  );
  return { asked, outcomes: Object.fromEntries(foreseen.map((one) => [one.file.file.key, one.outcome])) };
}

describe("foreseeing an import", () => {
  it("asks about every file where nothing that is included changes", async () => {
    const { asked, outcomes } = await run({ p: "same", q: "same", user: "same", other: "bad_key" });
    expect(asked.toSorted()).toEqual(["other", "outer", "p", "q", "user"]);
    expect(outcomes).toEqual({
      p: "unchanged",
      q: "unchanged",
      user: "unchanged",
      other: "refused",
      outer: "created",
    });
  });

  it("asks without its body about what includes something that would change, however far down", async () => {
    const { asked, outcomes } = await run({ q: "same" });
    expect(asked.toSorted()).toEqual(["other", "outer without its body", "p", "q", "user without its body"]);
    expect(outcomes).toEqual({
      p: "created",
      q: "unchanged",
      user: "unchanged",
      other: "created",
      outer: "unchanged",
    });
  });

  it("hears of a refusal that has nothing to do with the body", async () => {
    const { outcomes } = await run({ outer: "bad_key" });
    expect(outcomes).toMatchObject({ user: "unchanged", outer: "refused" });
  });

  it("ends where nobody answers any more", async () => {
    const { asked, outcomes } = await run({ p: "unavailable" });
    expect(asked.toSorted()).toEqual(["p", "q"]);
    expect(outcomes).toEqual({ p: "refused", q: "created" });
  });
});
