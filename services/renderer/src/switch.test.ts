import { silentLogger } from "@incipit/bus";
import { describe, expect, it } from "vitest";
import { activated, added, admit, deactivated } from "../testing/log-writer.ts";
import { createRig, until } from "../testing/renderer.ts";

const [p, q] = ["_partials/p", "_partials/q"];
const two = (key: string, version: number) => added(key, version, `${key} ${version}`);
const rigOf = (options?: Parameters<typeof createRig>[1]) =>
  createRig(
    (author) =>
      author.write(
        added("a", 1, "a1 {{> _partials/p}} {{> _partials/q}}"),
        added(p, 1, "p1"),
        added(p, 2, "p2"),
        added(q, 1, "q1"),
        added(q, 2, "q2"),
        added("a", 2, "a2 {{> _partials/q}} {{> _partials/p}}"),
        activated(p, 1),
        activated(q, 1),
        activated("a", 1),
      ),
    options,
  );

describe("an activation", () => {
  it("has the new version in memory before the pointer moves: no render waits for it", async () => {
    const { spy, author, text, renderer } = await rigOf();
    expect(await text("a")).toBe("a1 p1 q1");
    const atSwitch: string[] = [];
    spy.before = async (question) => void atSwitch.push(`${question} at ${renderer.stats().applied}`);
    const seq = await author.write(activated("a", 2));
    await until(() => renderer.stats().applied === seq);
    expect(atSwitch).toEqual([`last prompt.log.version.2.a at ${seq - 1}`]);
    expect(await text("a", { minSeq: seq })).toBe("a2 q1 p1");
    expect(atSwitch).toHaveLength(1);
    expect(renderer.stats().cache).toMatchObject({ hits: 1, misses: 1 });
  });

  it("of a partial, a seed or a key that a fallback stood in for is made ready too", async () => {
    const { spy, author, text, renderer } = await rigOf();
    const fallback = { fallbackKeys: ["a"] };
    expect(await text("custom", fallback)).toBe("a1 p1 q1");
    await author.write(two("custom", 1));
    for (const event of [activated(p, 2), deactivated(q, 1), added(q, 0, "q0"), activated("custom", 1)]) {
      const seq = await author.write(event);
      await until(() => renderer.stats().applied === seq);
      spy.asked.length = 0;
      await text("custom", { ...fallback, minSeq: seq });
      if (event.type !== "TemplateDeactivated") expect(spy.asked).toEqual([]);
    }
    expect(await text("custom", fallback)).toBe("custom 1");
  });

  it("fetches nothing for a key that nobody asks for", async () => {
    const { spy, author, renderer } = await rigOf();
    const seq = await author.write(activated("a", 2));
    await until(() => renderer.stats().applied === seq);
    expect(spy.asked).toEqual([]);
  });

  it("waits for its body behind an outage; what is in memory answers until then, stale", async () => {
    const { spy, author, text, render, renderer, controls } = await rigOf();
    await text("a");
    let fetching = 0;
    spy.before = async () => {
      fetching++;
      controls.disconnect();
    };
    const seq = await author.write(activated("a", 2));
    await until(() => fetching >= 2);
    expect(await render("a")).toMatchObject({ value: { text: "a1 p1 q1", stale: true, seq: seq - 1 } });
    spy.before = async () => {};
    controls.reconnect();
    await until(() => renderer.stats().applied === seq && renderer.stats().state === "live");
    expect(await render("a")).toMatchObject({ value: { text: "a2 q1 p1", seq } });
  });

  it("of a version that the log does not hold blocks nothing behind it", async () => {
    const { author, text, renderer } = await rigOf();
    await text("a");
    const seq = await author.write(activated("a", 9), activated(p, 2));
    await until(() => renderer.stats().applied === seq);
    expect(await text("a")).toBe("version_not_found");
    expect(await text("a", { version: 1 })).toBe("a1 p2 q1");
  });

  it("shows itself whole: no render mixes what was and what is", async () => {
    const rig = await rigOf({ cacheBytes: 2_000 });
    const { author, render, renderer } = rig;
    const seen = new Set<string>();
    const written = new AbortController();
    const readers = Array.from({ length: 8 }, async () => {
      while (!written.signal.aborted) {
        const reply = await render("a");
        if (!reply.ok) throw new Error(reply.problem.message);
        // Positions 10, 11, 12, … move p, q, p, q to 2, then to 1, and so on: the position tells the whole text.
        const moves = reply.value.seq - 9;
        const version = (moved: number) => (Math.floor(moved / 2) % 2 === 0 ? 1 : 2);
        expect(`${reply.value.seq} ${reply.value.text}`).toBe(
          `${reply.value.seq} a1 p${version(moves + 1)} q${version(moves)}`,
        );
        seen.add(reply.value.text);
        await new Promise(setImmediate);
      }
    });
    for (let n = 0; n < 200; n++) {
      const version = Math.floor(n / 2) % 2 === 0 ? 2 : 1;
      const seq = await author.write(activated(n % 2 === 0 ? p : q, version));
      if (n % 3 === 0) await until(() => renderer.stats().applied === seq);
    }
    written.abort();
    await Promise.all(readers);
    expect(seen.size).toBeGreaterThan(1);
  });
});

describe("an outage", () => {
  it("never leads from an active version to the seed, nor is it taken for absence", async () => {
    const { text, controls } = await createRig((author) =>
      author.write(added("a", 0, "seed"), added("a", 1, "one"), activated("a", 1)),
    );
    controls.disconnect();
    expect(await text("a")).toBe("unavailable");
    expect(await text("never heard of".replaceAll(" ", "-"))).toBe("unavailable");
    controls.reconnect();
    expect(await text("a")).toBe("one");
  });

  it("is over only when what was missed is applied", async () => {
    const { text, render, controls, author, renderer } = await rigOf();
    await text("a");
    controls.disconnect();
    expect(await render("a")).toMatchObject({ value: { stale: true } });
    const message = author.writer.message(activated("a", 2));
    const seq = controls.write(message.subject, message.payload);
    expect(await render("a")).toMatchObject({ value: { text: "a1 p1 q1", stale: true } });
    controls.reconnect();
    await until(() => renderer.stats().state === "live");
    const reply = await render("a");
    expect(reply).toMatchObject({ value: { text: "a2 q1 p1", seq } });
    expect(reply.ok && "stale" in reply.value).toBe(false);
  });
});

describe("what is not ours on the log", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it("is skipped, counted and told, and hides nothing: not to a renderer that runs, nor to one that starts", async () => {
    const told: object[] = [];
    const logger = { ...silentLogger, error: (fields: object) => void told.push(fields) };
    const rig = await createRig(
      (author) => author.write(added("a", 1, "one"), added("a", 2, "two"), activated("a", 1)),
      { logger },
    );
    const { controls, author, text, renderer, start } = rig;
    const subject = admit.subjects.logActive("a", "production");
    controls.write(subject, bytes("junk"));
    const lie = author.writer.message(activated("a", 2), { index: 1 });
    const seq = controls.write(lie.subject, lie.payload);
    const newer = author.writer.message(activated("a", 2), { v: 99, index: 4 });
    const last = controls.write(newer.subject, newer.payload);
    await until(() => renderer.stats().applied === last);
    expect(await text("a")).toBe("one");
    expect(renderer.stats().rejected).toBe(2);
    expect(told).toMatchObject([
      { seq: 4, subject },
      { seq, subject },
    ]);

    const late = await start();
    expect(await late.render("prompt.render.a", {})).toMatchObject({ value: { text: "one", seq: last } });
    expect(late.stats()).toMatchObject({ applied: last });
  });

  it("over a seed or a version leaves the good one below in use", async () => {
    const { text } = await createRig(async (author, controls) => {
      await author.write(added("s", 0, "seed"), added("a", 1, "one"), activated("a", 1));
      controls.write(admit.subjects.logSeed("s"), bytes("{}"));
      controls.write(admit.subjects.logVersion("a", 1), bytes("[]"));
      const forged = author.writer.message(added("a", 1, "forged", { hash: "0".repeat(64) }));
      controls.write(forged.subject, forged.payload);
    });
    expect(await text("s")).toBe("seed");
    expect(await text("a")).toBe("one");
  });
});
