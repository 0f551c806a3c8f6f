import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const CACHE = new URL("../../.cache/", import.meta.url).pathname;
const LONG = { maxBuffer: 64 * 1024 * 1024 };

/**
 * A current nats-server, out of Debian's newest suite, kept in `.cache/` of the repository (`INCIPIT_TEST_CACHE` names
 * another folder). apt works on a state of its own: the machine's sources and packages stay as they are.
 * `INCIPIT_TEST_CURRENT_NATS` names a program to take instead. Null, with the reason printed, where it cannot be had.
 */
export async function currentNatsServer(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const given = env["INCIPIT_TEST_CURRENT_NATS"];
  if (given !== undefined && given !== "") return given;
  const cache = env["INCIPIT_TEST_CACHE"] ?? CACHE;
  const bin = join(cache, "nats-server-current", "nats-server");
  if (existsSync(bin)) return bin;
  try {
    await fetchInto(cache, bin);
    return bin;
  } catch (error) {
    console.warn(`no current nats-server, its tests are skipped: ${explain(error)}`);
    return null;
  }
}

async function fetchInto(cache: string, bin: string): Promise<void> {
  if (!existsSync("/usr/bin/apt-get")) throw new Error("this is no Debian");
  if (!existsSync(KEYRING)) throw new Error(`${KEYRING} is missing`);
  await mkdir(cache, { recursive: true });
  // Several test processes may do this at once: each works in its own folder, and the last rename wins.
  const work = await mkdtemp(join(cache, "apt-"));
  try {
    await Promise.all(
      ["lists/partial", "archives/partial"].map((at) => mkdir(join(work, at), { recursive: true })),
    );
    await writeFile(join(work, "list"), `deb [signed-by=${KEYRING}] ${await debianMirror()} sid main\n`);
    const state = [
      `-oDir::Etc::sourcelist=${work}/list`,
      "-oDir::Etc::sourceparts=/dev/null",
      "-oDir::Etc::preferencesparts=/dev/null",
      `-oDir::State::lists=${work}/lists`,
      `-oDir::Cache=${work}`,
      "-oAPT::Default-Release=sid",
      // A mirror may be a snapshot older than its release file promises; what it serves is signed all the same.
      "-oAcquire::Check-Valid-Until=false",
      ...(process.getuid?.() === 0 ? ["-oAPT::Sandbox::User=root"] : []),
    ];
    await run("apt-get", [...state, "update", "-qq"], LONG);
    await run("apt-get", [...state, "download", "-qq", "nats-server"], { ...LONG, cwd: work });
    const deb = (await readdir(work)).find((name) => name.endsWith(".deb"));
    if (deb === undefined) throw new Error("apt-get download brought no package");
    await run("dpkg-deb", ["-x", join(work, deb), join(work, "root")]);
    await mkdir(join(bin, ".."), { recursive: true });
    await rename(join(work, "root/usr/sbin/nats-server"), bin);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Where this machine gets its Debian packages from: the same mirror has the other suites. */
async function debianMirror(): Promise<string> {
  const { stdout } = await run("apt-get", [
    "indextargets",
    "--format",
    "$(REPO_URI)",
    "Created-By: Packages",
  ]);
  const mirror = stdout.split("\n").find((uri) => /\/debian\/?$/.test(uri) && !uri.includes("security"));
  if (mirror === undefined) throw new Error("this machine has no Debian mirror");
  return mirror;
}

function explain(error: unknown): string {
  const stderr = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return stderr !== "" ? stderr : error instanceof Error ? error.message : String(error);
}
