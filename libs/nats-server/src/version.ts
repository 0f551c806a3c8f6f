import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The version of a nats-server program, `2.9.10`. Throws where the program does not say one. */
export async function readNatsServerVersion(bin: string): Promise<string> {
  const { stdout } = await run(bin, ["--version"]);
  const version = /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${bin} --version says ${JSON.stringify(stdout.trim())}.`);
  return version;
}

/** Whether a version knows `sync_interval: always`, which came with 2.10. Pure. */
export function knowsSyncAlways(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 10);
}
