import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { findNatsServer, type Surroundings } from "./executable.ts";

const run = promisify(execFile);

/** How to get a nats-server. */
export type EnsureOptions = Surroundings & {
  /** Whether it may be installed from the system's packages. */
  install: boolean;
  /** Told what is done, one sentence at a time. */
  log: (line: string) => void;
};

/** What decides how a nats-server is installed here. */
export type System = { platform: NodeJS.Platform; debian: boolean; root: boolean };

/**
 * The path of a nats-server, installed first where it is missing, `install` is set, and this is root on Debian or Ubuntu.
 * Otherwise throws an Error that says exactly what to install on this system.
 */
export async function ensureNatsServer(options: EnsureOptions): Promise<string> {
  const found = findNatsServer(options);
  if (found !== null) return found;
  const platform = options.platform ?? process.platform;
  const system: System = {
    platform,
    debian: platform === "linux" && existsSync("/etc/debian_version"),
    root: process.getuid?.() === 0,
  };
  if (!options.install || !system.debian || !system.root) throw new Error(howToInstall(system));
  options.log("nats-server is missing: installing it with apt-get.");
  await installWithApt(options.env);
  const installed = findNatsServer(options);
  if (installed === null) throw new Error(`apt-get brought no nats-server. ${howToInstall(system)}`);
  options.log(`nats-server is installed: ${installed}.`);
  return installed;
}

async function installWithApt(env: Surroundings["env"]): Promise<void> {
  const settings = { env: { ...env, DEBIAN_FRONTEND: "noninteractive" } };
  try {
    await run("apt-get", ["update", "-qq"], settings);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "nats-server"], settings);
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw new Error(`apt-get could not install nats-server: ${said}`, { cause });
  }
}

/** What a person does to get a nats-server on a system, in one paragraph. Pure. */
export function howToInstall({ platform, debian, root }: System): string {
  const elsewhere = "or set NATS_SERVER_BIN to the path of one";
  if (debian)
    return `nats-server is missing. Run: ${root ? "" : "sudo "}apt-get update && ${root ? "" : "sudo "}apt-get install -y nats-server, ${elsewhere}.`;
  if (platform === "darwin") return `nats-server is missing. Run: brew install nats-server, ${elsewhere}.`;
  if (platform === "win32") return `nats-server is missing. Run: choco install nats-server, ${elsewhere}.`;
  return (
    "nats-server is missing. Download it from the releases of nats-io/nats-server on GitHub and put it on PATH, " +
    `or with Go run: go install github.com/nats-io/nats-server/v2@latest, ${elsewhere}.`
  );
}
