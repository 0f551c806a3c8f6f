import { createMemoryLog, silentLogger, type RpcService } from "@incipit/bus";
import { describe, expect, it, vi } from "vitest";
import { activated, added, admit, createLogAuthor, deactivated } from "../testing/log-writer.ts";
import { createRig, until } from "../testing/renderer.ts";
import { createRenderer } from "./service.ts";

const tone = "_partials/tone";
const small = () =>
  createRig((author) =>
    author.write(
      added("a", 0, "seed of a"),
      added("a", 1, "Hello {{name}}. {{> _partials/tone}}"),
      added("a", 2, "Goodbye {{name}}."),
      added(tone, 1, "Be kind."),
      activated(tone, 1),
      activated("a", 1),
    ),
  );

describe("a render", () => {
  it("answers with the text and everything needed to ask for it again", async () => {
    const { render } = await small();
    const reply = await render("a", { context: { name: "Ada" } });
    expect(reply).toMatchObject({ ok: true });
    expect(reply.ok && reply.value).toEqual({
      key: "a",
      version: 1,
      label: "production",
      seq: 6,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      contract: null,
      text: "Hello Ada. Be kind.",
      partials: [{ key: tone, version: 1 }],
      warnings: [],
    });
  });

  it("by version or pin names no label, and pins give the same answer for ever", async () => {
    const { render, author } = await small();
    const first = await render("a", { context: { name: "Ada" } });
    await author.write(added(tone, 2, "Be brief."), activated(tone, 2), activated("a", 2));
    const again = await render("a", { context: { name: "Ada" }, pins: { a: 1, [tone]: 1 }, minSeq: 9 });
    expect(again).toMatchObject({ value: { label: null, version: 1, seq: 9 } });
    expect(again.ok && first.ok && again.value.hash === first.value.hash).toBe(true);
    expect(again.ok && again.value.text).toBe("Hello Ada. Be kind.");
    expect(await render("a", { context: { name: "Ada" }, version: 1 })).toMatchObject({
      value: { label: null, text: "Hello Ada. Be brief." },
    });
  });

  it("tells apart what does not exist, what is not active and what has no such version", async () => {
    const { author, text } = await createRig((author) =>
      author.write(added("stored", 1, "x"), added("off", 1, "x"), activated("off", 1), deactivated("off", 1)),
    );
    expect(await text("never")).toBe("key_not_found");
    expect(await text("never", { version: 1 })).toBe("key_not_found");
    expect(await text("stored")).toBe("not_active");
    expect(await text("stored", { version: 1 })).toBe("x");
    expect(await text("stored", { version: 2 })).toBe("version_not_found");
    expect(await text("off")).toBe("not_active");
    await author.write(added("never", 1, "there now"));
    expect(await text("never", { version: 1 })).toBe("there now");
  });

  it("refuses a partial, a missing field, a bad key and a bad request, each by its code", async () => {
    const { text, renderer } = await small();
    expect(await text(tone)).toBe("not_renderable");
    expect(await text("a")).toBe("field_missing");
    expect(await text("a", { label: "staging", version: 1 })).toBe("bad_request");
    expect(await renderer.render("prompt.render.a..b", {})).toMatchObject({ problem: { code: "bad_key" } });
  });

  it("says whose fault it is inside a partial", async () => {
    const { render, author } = await small();
    const seq = await author.write(added(tone, 2, "\n  {{missing}}"), activated(tone, 2));
    expect(await render("a", { context: { name: "Ada" }, minSeq: seq })).toMatchObject({
      ok: false,
      problem: { code: "field_missing", key: "a", version: 1, partial: tone, line: 2 },
    });
  });

  it("falls to the seed when a label is taken away, and to another seed when that comes", async () => {
    const { author, render } = await small();
    const off = await author.write(deactivated("a", 1));
    expect(await render("a", { minSeq: off })).toMatchObject({ value: { version: 0, text: "seed of a" } });
    const upgrade = await author.write(added("a", 0, "newer seed"));
    expect(await render("a", { minSeq: upgrade })).toMatchObject({ value: { text: "newer seed" } });
  });

  it("is the same on every renderer", async () => {
    const { start, author, render } = await small();
    const other = await start();
    const seq = await author.write(activated("a", 2, "staging"));
    for (const payload of [
      { context: { name: "Ada" }, minSeq: seq },
      { context: { name: "Ada" }, label: "staging", minSeq: seq },
      { context: {}, minSeq: seq },
      { context: {}, version: 0, minSeq: seq },
    ])
      expect(await other.render(admit.subjects.render("a"), payload)).toEqual(await render("a", payload));
  });

  it("works in a cache too small for anything", async () => {
    const rig = await createRig(
      (author) =>
        author.write(
          added("a", 1, "{{> _partials/b}}{{> _partials/c}}"),
          added("_partials/b", 1, "b{{> _partials/c}}"),
          added("_partials/c", 1, "c"),
          activated("_partials/b", 1),
          activated("_partials/c", 1),
          activated("a", 1),
        ),
      { cacheBytes: 1 },
    );
    const texts = await Promise.all(Array.from({ length: 20 }, () => rig.text("a")));
    expect(new Set(texts)).toEqual(new Set(["bcc"]));
    expect(rig.renderer.stats().cache).toMatchObject({ entries: 0, hits: 0, misses: 20 });
  });
});

describe("reading one's own writes", () => {
  it("asks nobody where the position is applied", async () => {
    const { text, spy } = await small();
    await text("a", { version: 2, context: { name: "Ada" }, minSeq: 6 });
    expect(spy.asked).toEqual(["last prompt.log.version.2.a"]);
  });

  it("takes the leader's word that a later position changed no pointer", async () => {
    const { render, author, spy } = await small();
    const seq = await author.write(added("a", 3, "three"));
    await render("a", { context: { name: "Ada" } });
    spy.asked.length = 0;
    expect(await render("a", { context: { name: "Ada" }, minSeq: seq })).toMatchObject({
      value: { version: 1, seq },
    });
    // Never a stored version, which may be large.
    expect(spy.asked).toEqual(["info", "last prompt.log.now.>"]);
  });

  it("is refused at its time while the log is out of reach", async () => {
    const { text, controls } = await small();
    controls.disconnect();
    expect(await text("a", { minSeq: 99, timeoutMs: 5 })).toBe("not_caught_up");
  });

  it("waits out a short outage", async () => {
    const { text, author, controls } = await small();
    const seq = await author.write(activated("a", 2));
    controls.disconnect();
    const answer = text("a", { context: { name: "Ada" }, minSeq: seq + 1, timeoutMs: 10_000 });
    controls.reconnect();
    await author.write(activated(tone, 1));
    expect(await answer).toBe("Goodbye Ada.");
  });
});

describe("a service", () => {
  it("registers only when what was pending is applied, and shows its state", async () => {
    const { log, controls } = createMemoryLog();
    const author = createLogAuthor(log);
    await author.write(added("a", 1, "one"), activated("a", 1));
    controls.disconnect();
    const served: RpcService[] = [];
    const starting = createRenderer({
      log,
      admit,
      serve: async (service) => {
        served.push(service);
        return { instance: "one", stop: async () => {} };
      },
      cacheBytes: 1 << 20,
      version: "1.2.3",
      logger: silentLogger,
    });
    await new Promise(setImmediate);
    expect(served).toEqual([]);
    controls.reconnect();
    await starting;
    expect(served[0]).toMatchObject({ name: "incipit-renderer", version: "1.2.3" });
    expect(served[0]?.stats?.()).toMatchObject({ applied: 2, state: "live", keys: 1 });
  });

  it("describes an answer without its text, and links it to what made it live", async () => {
    const { log } = createMemoryLog();
    await createLogAuthor(log).write(added("a", 1, "secret {{x}}"), activated("a", 1));
    let service: RpcService | undefined;
    await createRenderer({
      log,
      admit,
      serve: async (given) => {
        service = given;
        return { instance: "one", stop: async () => {} };
      },
      cacheBytes: 1 << 20,
      version: "1.2.3",
      logger: silentLogger,
    });
    const endpoint = service?.endpoints[0];
    const describeAnswer = async (body: unknown) => {
      const request = { subject: "prompt.render.a", body };
      const result = await endpoint?.handler(request);
      return { cause: result?.cause, attributes: result && endpoint?.describe?.(request, result) };
    };
    const described = await describeAnswer({ context: { x: "private" } });
    expect(described.attributes).toEqual({
      "gen_ai.prompt.name": "a",
      "gen_ai.prompt.version": "1",
      "incipit.label": "production",
      "incipit.seq": 2,
      "incipit.hash": expect.any(String) as string,
    });
    expect(described.cause).toContain("4bf92f3577b34da6a3ce929d0e0e4736");
    expect(JSON.stringify(described)).not.toMatch(/secret|private/);
    expect((await describeAnswer({})).attributes).toEqual({
      "gen_ai.prompt.name": "a",
      "gen_ai.prompt.version": "1",
    });
    expect((await describeAnswer({ contxt: {} })).attributes).toEqual({ "gen_ai.prompt.name": "a" });
    expect((await describeAnswer({ version: 1, context: { x: "" } })).cause).toBeNull();
  });

  it("stops within its time although renders wait for a log that is gone", async () => {
    const { log, controls } = createMemoryLog();
    await createLogAuthor(log).write(added("a", 1, "one"), activated("a", 1));
    const inFlight: Promise<unknown>[] = [];
    const renderer = await createRenderer({
      log: {
        ...log,
        last: () => new Promise<never>(() => {}),
        info: () => new Promise<never>(() => {}),
      },
      admit,
      serve: async () => ({ instance: "one", stop: async () => void (await Promise.all(inFlight)) }),
      cacheBytes: 1 << 20,
      version: "1.2.3",
      logger: silentLogger,
    });
    controls.disconnect();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const ask = (body: object) => {
        const answer = renderer.render("prompt.render.a", body);
        inFlight.push(answer);
        return answer;
      };
      const answers = [ask({}), ask({ minSeq: 99, timeoutMs: 60_000 })];
      const stopped = renderer.stop();
      await vi.advanceTimersByTimeAsync(3_000);
      await stopped;
      expect(await Promise.all(answers)).toMatchObject([
        { problem: { code: "unavailable" } },
        { problem: { code: "not_caught_up" } },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("rebuilds everything when the log is another one, and answers stale meanwhile", async () => {
    const { renderer, text, render, controls } = await small();
    expect(await text("a", { context: { name: "Ada" } })).toBe("Hello Ada. Be kind.");
    controls.reset();
    controls.disconnect();
    expect(await render("a", { context: { name: "Ada" } })).toMatchObject({ value: { stale: true } });
    controls.reconnect();
    await until(() => renderer.stats().keys === 0);
    expect(await text("a")).toBe("key_not_found");
  });
});
