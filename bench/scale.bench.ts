import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unwrap } from "@incipit/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startStack, type Stack } from "../test/support/stack.ts";

const TEMPLATES = 10_000;
const BODY_BYTES = 2_048;
const cli = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), "cli/bin/incipit.js");

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** Resident memory of a process in MiB, as Linux counts it. */
async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

it("idle, each service stays under 150 MB resident", async () => {
  for (const [name, service] of [
    ["registry", stack.registries[0]],
    ["renderer", stack.renderers[0]],
  ] as const) {
    const mib = await residentMiB(service?.pid ?? 0);
    console.log(`idle ${name}: ${mib.toFixed(0)} MiB`);
    expect(mib).toBeLessThan(150);
  }
});

it(`${TEMPLATES} templates of 2 KB are imported in under 60 s; a renderer started on them is ready under 2 s and 200 MB`, async () => {
  const folder = path.join(stack.dir, "import");
  const line = "Answer {{name}} about {{topic}} in a friendly voice, and keep it short.\n";
  for (let n = 0; n < TEMPLATES; n++) {
    const file = path.join(folder, `team-${n % 100}`, `template-${n}.hbs`);
    if (n < 100) await mkdir(path.dirname(file), { recursive: true });
    await writeFile(
      file,
      `Template ${n}\n${line.repeat(Math.ceil(BODY_BYTES / line.length))}`.slice(0, BODY_BYTES),
    );
  }
  const importing = performance.now();
  await promisify(execFile)(process.execPath, [cli, "import", folder, "--activate", "--server", stack.url]);
  const importSeconds = (performance.now() - importing) / 1_000;
  console.log(`import of ${TEMPLATES}: ${importSeconds.toFixed(1)} s`);
  expect(importSeconds).toBeLessThan(60);

  const starting = performance.now();
  const renderer = await stack.startRenderer();
  const readySeconds = (performance.now() - starting) / 1_000;
  const mib = await residentMiB(renderer.pid);
  console.log(
    `renderer on ${TEMPLATES} keys: ready in ${readySeconds.toFixed(2)} s with ${mib.toFixed(0)} MiB`,
  );
  expect(readySeconds).toBeLessThan(2);
  expect(mib).toBeLessThan(200);

  const client = await stack.connect();
  const reply = unwrap(
    await client.render("team-7/template-7", { context: { name: "Ada", topic: "loops" } }),
  );
  expect(reply.text).toContain("Answer Ada about loops");
  console.log(
    `registry after the import: ${(await residentMiB(stack.registries[0]?.pid ?? 0)).toFixed(0)} MiB`,
  );
});
