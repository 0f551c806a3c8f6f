// The main job, end to end, on real processes: a NATS server, a registry and two renderers are started, templates are
// imported and rendered, a new version goes live while renders run, a broken one is refused, the log is verified.
// Everything it starts has ended when it ends, also after a failure or Ctrl-C. Needs a build (scripts/setup.mjs).
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, unwrap } from "../libs/client/dist/index.js";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const incipit = path.join(root, "cli/bin/incipit.js");
const contextFile = "examples/quickstart/context.json";
const work = mkdtempSync(path.join(tmpdir(), "incipit-demo-"));
const env = { ...process.env, INCIPIT_ACTOR: "demo" };
delete env.NATS_CREDS; // the demo talks to the server that it starts, as nobody in particular

/**
 * What must be ended, last first.
 * @type {(() => void | Promise<void>)[]}
 */
const endings = [() => rmSync(work, { recursive: true, force: true })];
let isEnding = false;
let step = 0;

process.on("SIGINT", () => void end(130));
process.on("SIGTERM", () => void end(143));
try {
  await demo();
  await end(0);
} catch (error) {
  if (!isEnding) console.error(`\ndemo: ${error instanceof Error ? error.message : String(error)}`);
  await end(1);
}

async function demo() {
  heading("Start a NATS server, a registry and two renderers, each a process of its own");
  env.NATS_URL = await startEverything();

  heading("Import a folder of templates and put them live");
  await run("import", "examples/quickstart", "--activate", "--note", "the quickstart set");
  await run("list");

  heading("Render, as an agent does");
  const triage = await run("render", "support/triage", "--context", contextFile, { show: 12 });
  await run("render", "engineering/code-review", "--context", contextFile, { show: 8 });

  heading("Store a second version, and put it live while renders are running");
  const second = path.join(work, "triage.md");
  const source = readFileSync(path.join(root, "examples/quickstart/support/triage.md"), "utf8");
  writeFileSync(second, source.replace("You sort incoming", "You read every word, then sort incoming"));
  await run("add", "support/triage", second, "--front-matter", "--note", "read first, then sort");
  await activateUnderLoad("support/triage", 2);
  const changed = await run("render", "support/triage", "--context", contextFile, { show: 1 });
  if (changed === triage) throw new Error("the second version was not served");

  heading("A broken template is refused, and nothing is stored");
  const broken = path.join(work, "broken.md");
  writeFileSync(
    broken,
    "Dear {{customer.name}},\n\n{{#if ticket.subject}}\nyou wrote about {{shout ticket.subject}}.\n{{/if}}\n",
  );
  await run("add", "support/broken", broken, { expect: 1 });

  heading("Read the log, and verify its chain from the first event to the last");
  await run("log", { show: -21 });

  heading("End everything");
}

/** Starts `incipit up` and gives the URL it is ready at. */
async function startEverything() {
  const args = ["up", "--port", "0", "--renderers", "2", "--data", path.join(work, "data")];
  console.log(`$ npx incipit ${args.join(" ")} &`);
  // With a channel, so that it ends even if this process is killed.
  const up = spawn(process.execPath, [incipit, ...args], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const exited = new Promise((resolve) => up.once("exit", (code, signal) => resolve(code ?? signal)));
  endings.push(async () => {
    if (up.exitCode === null && up.signalCode === null) up.kill("SIGTERM");
    const code = await exited;
    if (code !== 0) throw new Error(`incipit up ended with ${code}`);
  });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    up.stdout.on("data", (chunk) => {
      text += chunk;
      const ready = /^incipit ready (\S+)$/m.exec(text)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    void exited.then((code) => reject(new Error(`incipit up ended with ${code} before it was ready`)));
  });
  console.log(`incipit ready ${url}`);
  console.log(`$ export NATS_URL=${url}`);
  return url;
}

/** Activates a version while renders run, and prints when each renderer first served it. */
async function activateUnderLoad(key, version) {
  const context = JSON.parse(readFileSync(path.join(root, contextFile), "utf8"));
  const client = await createClient({ servers: env.NATS_URL, actor: "demo" });
  try {
    const instances = new Set(
      (await client.instances("incipit-renderer", { expected: 2 })).map(({ id }) => id),
    );
    const firstServed = new Map();
    let served = 0;
    const done = new AbortController();
    // Eight callers, one render after the other each; NATS spreads them over the renderers.
    const load = Array.from({ length: 8 }, async () => {
      while (!done.signal.aborted) {
        const reply = unwrap(await client.render(key, { context }));
        served++;
        if (reply.version === version && !firstServed.has(reply.instance))
          firstServed.set(reply.instance, performance.now());
      }
    });
    const loading = Promise.all(load);
    await until(() => served >= 200, loading, "renders are running");
    console.log(`$ npx incipit activate ${key} ${version}`);
    const sentAt = performance.now();
    const reply = unwrap(await client.activate(key, { version, note: "try it" }));
    const acknowledgedAt = performance.now();
    await until(() => [...instances].every((id) => firstServed.has(id)), loading, "every renderer serves it");
    done.abort();
    await loading;
    console.log(
      `${key}@${version} activated under ${reply.label} (was: ${reply.previous}), seq ${reply.seq}`,
    );
    console.log(`  stored by the registry after ${milliseconds(acknowledgedAt - sentAt)}`);
    for (const [instance, at] of [...firstServed].toSorted((a, b) => a[1] - b[1]))
      console.log(`  renderer ${instance} served it after ${milliseconds(at - sentAt)}`);
    console.log("  no render failed meanwhile");
  } finally {
    await client.close();
  }
}

/** Waits for a condition; a failure of what runs meanwhile ends the wait. */
async function until(condition, running, what) {
  const deadline = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await Promise.race([new Promise((next) => setTimeout(next, 2)), running]);
  }
}

function milliseconds(ms) {
  return `${ms.toFixed(1)} ms`;
}

/**
 * Runs one command line and prints it and what it prints; gives its stdout. Options: `expect`, the exit code (0);
 * `show`, how many lines of its output to print, the last ones if negative.
 */
async function run(...args) {
  const { expect = 0, show = Infinity } = typeof args.at(-1) === "object" ? args.pop() : {};
  console.log(
    `$ npx incipit ${args.map((word) => (/[^\w./@:=-]/.test(word) ? `"${word}"` : word)).join(" ")}`,
  );
  const child = spawn(process.execPath, [incipit, ...args], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (err += chunk));
  const code = await new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
  if (err !== "" && code === 0) console.log(err.trimEnd());
  const lines = out.replace(/\n$/, "").split("\n");
  const shown = show < 0 ? lines.slice(show) : lines.slice(0, show);
  if (show < 0 && shown.length < lines.length) console.log(`… ${lines.length - shown.length} lines before`);
  if (out !== "") console.log(shown.join("\n"));
  if (show > 0 && shown.length < lines.length) console.log(`… ${lines.length - shown.length} more lines`);
  if (err !== "" && code !== 0) console.log(err.trimEnd());
  if (code !== expect) throw new Error(`incipit ${args[0]} ended with ${code}, not ${expect}`);
  if (expect !== 0) console.log(`(exit code ${code})`);
  return out;
}

function heading(text) {
  console.log(`\n${++step}. ${text}\n`);
}

/** Ends what was started, last first, and then this process. */
async function end(code) {
  if (isEnding) return;
  isEnding = true;
  for (const ending of endings.toReversed()) {
    try {
      await ending();
    } catch (error) {
      console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
      code ||= 1;
    }
  }
  if (code === 0) console.log("Everything that was started has ended.");
  process.exit(code);
}
