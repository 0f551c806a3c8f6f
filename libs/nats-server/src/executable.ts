import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What finding a program depends on; passed in, so that only a `main.ts` reads the environment. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  /** This machine's unless told otherwise. */
  platform?: NodeJS.Platform;
};

/** Where packages and people put the server, beyond PATH. */
const USUAL_FOLDERS = ["/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"];

/**
 * The path of a nats-server on this machine: `NATS_SERVER_BIN`, else PATH, else the usual folders; null where there is
 * none. Throws where `NATS_SERVER_BIN` names something that cannot be run: that is a mistake, not an absence.
 */
export function findNatsServer({ env, platform = process.platform }: Surroundings): string | null {
  const named = env["NATS_SERVER_BIN"];
  if (named !== undefined && named !== "") {
    if (isExecutable(named)) return named;
    throw new Error(`NATS_SERVER_BIN is ${named}, which is not a program that can be run.`);
  }
  const home = env["HOME"] ?? env["USERPROFILE"];
  const folders = [
    ...(env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...USUAL_FOLDERS,
    ...(home === undefined ? [] : [join(home, "go", "bin")]),
  ];
  const name = platform === "win32" ? "nats-server.exe" : "nats-server";
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
