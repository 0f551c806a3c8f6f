// Everything that a fresh checkout needs before a command of package.json can run: build tools where the system is
// Debian and lacks them, the dependencies, the build, a nats-server. Does nothing where nothing is missing. Plain
// JavaScript on Node's own modules alone, since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** For which Node the addons in node_modules were built: one for another does not load. */
const ABI_MARK = "node_modules/.incipit-abi";
const say = (text) => process.stderr.write(`setup: ${text}\n`);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Node 20.19 or newer is needed, this is ${process.version}.`);

installDependencies();
run("npx", ["--no-install", "tsc", "-b"], "the build failed");
const { ensureNatsServer } = await import("../libs/nats-server/dist/index.js");
try {
  await ensureNatsServer({ env: process.env, install: true, log: say });
} catch (error) {
  fail(error.message);
}

/** Installs what package-lock.json names, unless exactly that is installed already. */
function installDependencies() {
  if (isInstalled()) return;
  installBuildTools();
  say("installing dependencies (npm ci, a minute or two)");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], "npm ci failed");
  writeFileSync(path.join(root, ABI_MARK), process.versions.modules);
}

/** Whether node_modules holds what package-lock.json names, with addons built for this Node. */
function isInstalled() {
  const built = readIfThere(ABI_MARK);
  if (built !== null && built !== process.versions.modules) return false;
  // What npm has written down of what it installed.
  const installed = JSON.parse(readIfThere("node_modules/.package-lock.json") ?? "{}").packages ?? {};
  const wanted = JSON.parse(readIfThere("package-lock.json") ?? "{}").packages ?? {};
  return Object.entries(wanted).every(([place, entry]) => {
    if (!place.startsWith("node_modules/") && !place.includes("/node_modules/")) return true;
    const found = installed[place];
    // Optional ones are for some systems only.
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readIfThere(name) {
  const file = path.join(root, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** better-sqlite3 is compiled where its prebuilt binary cannot be fetched; that takes make, a C++ compiler and Python. */
function installBuildTools() {
  // Python with its whole library: minimal systems have one without what node-gyp imports.
  const probes = {
    make: ["make", "--version"],
    "g++": ["g++", "--version"],
    python3: ["python3", "-c", "import argparse, multiprocessing, shlex, subprocess, xml.dom.minidom"],
  };
  const missing = Object.entries(probes)
    .filter(([, [command, ...args]]) => spawnSync(command, args, { stdio: "ignore" }).status !== 0)
    .map(([name]) => name);
  if (missing.length === 0) return;
  const isDebian = existsSync("/etc/debian_version");
  if (!isDebian || process.getuid?.() !== 0) {
    say(
      `${missing.join(", ")} not found: needed only if better-sqlite3 has no prebuilt binary for this system.`,
    );
    return;
  }
  say(`installing ${missing.join(" ")} (apt-get)`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], "apt-get update failed", env);
  run(
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", ...missing],
    "apt-get install failed",
    env,
  );
}

/** Runs a tool; what it prints is shown only where it fails. */
function run(command, args, failure, env = process.env) {
  const result = spawnSync(command, args, { cwd: root, env, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  fail(`${failure} (${command} ${args.join(" ")}).`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
