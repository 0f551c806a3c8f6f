import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startStack } from "../support/stack.ts";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const readme = readFileSync(path.join(root, "README.md"), "utf8");

/** The `console` blocks of README: each a command after `$ ` and what it prints. */
const blocks = [...readme.matchAll(/^```console\n\$ (.+)\n([\s\S]*?)^```$/gm)].map((match) => ({
  command: match[1] ?? "",
  output: match[2] ?? "",
}));

/** What differs from run to run and from machine to machine becomes a word. */
function withoutVariables(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
    .replaceAll(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, "<time>")
    .replaceAll(/\b[0-9a-f]{12,64}…?/g, "<hash>")
    .replaceAll(/(127\.0\.0\.1):\d+/g, "$1:<port>")
    .replaceAll(/\/\S*incipit-\S+/g, "<folder>")
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, "<duration>")
    .replaceAll(/\b(renderer|instance) [A-Z0-9]{6,22}\b/g, "$1 <instance>")
    .replaceAll(/[ \t]+$/gm, "");
}

function run(command: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], { cwd: root, env: { ...process.env, NO_COLOR: "1" } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

it("README shows the two commands that a newcomer runs", () => {
  expect(blocks.map(({ command }) => command)).toContain("npm run demo");
  expect(readme).toMatch(/^npm test$/m);
});

it.each(blocks)("README's `$command` ends 0 and prints what README shows", async ({ command, output }) => {
  const { code, stdout, stderr } = await run(command);
  expect(code, stderr).toBe(0);
  // npm announces the script it runs; that is not shown.
  const printed = stdout.replace(/^(\n?> .*\n)+\n?/, "");
  const lines = withoutVariables(printed).split("\n");
  // `…` on a line of its own stands for lines left out.
  for (const [at, passage] of withoutVariables(output).split(/^…\n/m).entries()) {
    const wanted = passage.trimEnd().split("\n");
    const found = lines.findIndex((_, start) => wanted.every((line, n) => lines[start + n] === line));
    expect(
      found,
      `passage ${at + 1} of README's output is not printed:\n${passage}\nprinted:\n${printed}`,
    ).toBeGreaterThanOrEqual(0);
    lines.splice(0, found + wanted.length);
  }
});

it("README's code does what it says", async () => {
  const code = /^```js\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? "";
  expect(code).toContain("createClient");
  const stack = await startStack();
  const file = path.join(root, "test", `readme-example-${process.pid}.mjs`);
  try {
    await writeFile(file, code.replace("nats://127.0.0.1:4222", stack.url));
    const { code: exit, stdout, stderr } = await run(`node ${file}`);
    expect(exit, stderr).toBe(0);
    expect(stdout).toBe("Sort this for billing: Where is my invoice?\n");
  } finally {
    await rm(file, { force: true });
    await stack.stop();
  }
});
