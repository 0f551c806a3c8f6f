import { createMemoryLog } from "@incipit/bus";
import { expect, test } from "vitest";
import { activated, added, createRecords } from "../../testing/records.ts";
import { startOn } from "../../testing/registry.ts";

const USERS = 1_000;
/** As large as prompts are, so that reading one takes its time. */
const filler = "{{#if a}}Hello {{name}}, here is some text of the usual length.{{/if}}\n".repeat(50);

test(`a partial that ${USERS} active templates include is activated at once, right after a start too`, async () => {
  const { log, controls } = createMemoryLog();
  const records = createRecords();
  const push = (event: Parameters<typeof records.push>[0]) => {
    const { subject, payload } = records.push(event);
    controls.write(subject, payload);
  };
  push(added("p", 1, "x", { kind: "partial" }));
  push(activated("p", 1));
  push(added("q", 1, "{{> p}}", { kind: "partial" }));
  push(activated("q", 1));
  for (let i = 0; i < USERS; i++) {
    push(added(`t/${i}`, 1, `${i} ${i % 2 === 0 ? "{{> p}}" : "{{> q}}"}\n${filler}`));
    push(activated(`t/${i}`, 1));
  }
  push(added("p", 2, "y", { kind: "partial" }));
  push(added("p", 3, "y{{cacheBreakpoint}}", { kind: "partial" }));
  push(added("u", 1, "{{#each xs}}{{> q}}{{/each}}"));
  push(activated("u", 1));
  const registry = await startOn(log);
  let started = performance.now();
  await registry.command("activate", "p", { version: 2 });
  expect(performance.now() - started).toBeLessThan(1_000);
  started = performance.now();
  const result = await registry.tryCommand("activate", "p", { version: 3 });
  expect(result).toMatchObject({ problem: { code: "check_failed", findings: [{ partial: "u" }] } });
  expect(performance.now() - started).toBeLessThan(1_000);
  await registry.stop();
});
