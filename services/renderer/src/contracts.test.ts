import { silentLogger, type Logger } from "@incipit/bus";
import type { JsonObject } from "@incipit/schema";
import { describe, expect, it } from "vitest";
import { activated, added, published } from "../testing/log-writer.ts";
import { createRig, until } from "../testing/renderer.ts";

const text = { type: "string", description: "d" };
const document = (properties: Record<string, JsonObject>, required: string[]) => ({
  type: "object",
  properties,
  required,
});
const first = document({ name: text, lang: { ...text, default: "en" }, nick: text }, ["name"]);
const on = { contract: "c" };

const rigOf = (body: string, contract = first) =>
  createRig((author) =>
    author.write(published("c", 1, contract), added("a", 1, body, on), activated("a", 1)),
  );

describe("a template with a contract", () => {
  it("is given its defaults, and nothing that the contract does not list", async () => {
    const { render } = await rigOf("{{name}} {{lang}} {{json @root}}");
    const reply = await render("a", { context: { name: "Ada", env: { secret: "s" } } });
    expect(reply).toMatchObject({
      ok: true,
      value: { text: 'Ada en {"name":"Ada","lang":"en"}', contract: { name: "c", version: 1 }, seq: 3 },
    });
  });

  it("refuses a context that does not fit, with the path, the key and the version", async () => {
    const { render } = await rigOf("{{name}}");
    for (const context of [{}, { name: 1 }, { name: null }])
      expect(await render("a", { context })).toMatchObject({
        ok: false,
        problem: { code: "bad_context", path: "name", key: "a", version: 1 },
      });
  });

  it("is kept, however long its contract is", async () => {
    for (let length = 1; length <= 40; length++) {
      const contract = document({ name: { ...text, description: "d".repeat(length * 13) } }, ["name"]);
      const { render } = await rigOf("{{json this}}", contract);
      expect(await render("a", { context: { name: "Ada" } })).toMatchObject({ ok: true });
    }
  });

  it("asks for nothing that it does not read", async () => {
    const { text: answer } = await rigOf("hello {{lang}}");
    expect(await answer("a", { context: { nick: 7 } })).toBe("hello en");
  });

  it("reads what is absent as nothing, where a guard asks", async () => {
    const { text: answer } = await rigOf("{{#if nick}}{{nick}}{{else}}none{{/if}}");
    expect(await answer("a", { context: { name: "x" } })).toBe("none");
    expect(await answer("a", { context: { name: "x", nick: null } })).toBe("none");
    expect(await answer("a", { context: { name: "x", nick: "N" } })).toBe("N");
  });

  it("passes the contract on to its partials, at whatever place they read it", async () => {
    const { text: answer } = await createRig((author) =>
      author.write(
        published("c", 1, first),
        added("_partials/p", 1, "{{x}}{{#if nick}}{{nick}}{{/if}}"),
        activated("_partials/p", 1),
        added("a", 1, "{{> _partials/p x=name}}", on),
        activated("a", 1),
      ),
    );
    expect(await answer("a", { context: { name: "Ada" } })).toBe("Ada");
    expect(await answer("a", { context: { name: "Ada", nick: 1 } })).toBe("bad_context");
  });

  it("whose contract was never published is refused as such", async () => {
    const { text: answer } = await createRig((author) =>
      author.write(added("a", 1, "x", on), activated("a", 1)),
    );
    expect(await answer("a")).toBe("contract_not_found");
  });

  it("whose contract this release cannot read is unavailable, which is told once, and others go on", async () => {
    const told: unknown[] = [];
    const error: Logger["error"] = (fields) => void told.push(fields);
    const { text: answer, author } = await createRig(
      (log) =>
        log.write(
          published("c", 1, { type: "from the future" }),
          added("a", 1, "x", on),
          activated("a", 1),
          added("b", 1, "y"),
          activated("b", 1),
        ),
      { logger: { ...silentLogger, error } },
    );
    expect([await answer("a"), await answer("a"), await answer("b")]).toEqual([
      "unavailable",
      "unavailable",
      "y",
    ]);
    expect(told).toMatchObject([{ contract: "c", version: 1, seq: 1 }]);
    const minSeq = await author.write(published("c", 2, first));
    expect(await answer("a", { context: { name: "Ada" }, minSeq })).toBe("x");
  });
});

describe("a new version of a contract", () => {
  it("counts from the moment it is applied, and the reply says so", async () => {
    const { render, author } = await rigOf("{{name}}{{#if nick}}{{nick}}{{/if}}");
    expect(await render("a", { context: { name: "Ada" } })).toMatchObject({
      value: { contract: { version: 1 } },
    });
    const seq = await author.write(published("c", 2, document({ name: text, lang: text, nick: text }, [])));
    expect(await render("a", { context: { name: "Ada" }, minSeq: seq })).toMatchObject({
      value: { contract: { name: "c", version: 2 }, seq },
    });
  });

  it("that only adds breaks no caller", async () => {
    const { render, author } = await rigOf("{{name}}");
    const wider = document({ ...first.properties, must: text }, ["name", "must"]);
    const seq = await author.write(published("c", 2, wider));
    expect(await render("a", { context: { name: "Ada" }, minSeq: seq })).toMatchObject({
      value: { text: "Ada" },
    });
  });

  it("that widens lets a template render where it can, and names it and the place where it cannot", async () => {
    const { render, author } = await rigOf("Hi\n{{name}}");
    const seq = await author.write(published("c", 2, document({ name: text }, [])));
    expect(await render("a", { context: { name: "Ada" }, minSeq: seq })).toMatchObject({
      value: { text: "Hi\nAda" },
    });
    expect(await render("a", { context: {} })).toMatchObject({
      ok: false,
      problem: { code: "render_failed", key: "a", version: 1, line: 2, column: 3 },
    });
  });

  it("is made ready before it counts, so that nobody waits for it", async () => {
    const { render, author, renderer } = await rigOf("{{name}}");
    await render("a", { context: { name: "Ada" } });
    const before = renderer.stats().cache.entries;
    const seq = await author.write(published("c", 2, document({ name: text }, [])));
    await until(() => renderer.stats().applied === seq);
    expect(renderer.stats().cache.entries).toBe(before + 1);
    expect(await render("a", { context: { name: "Ada" } })).toMatchObject({
      value: { contract: { version: 2 } },
    });
    expect(renderer.stats().cache.entries).toBe(before + 1);
  });
});
