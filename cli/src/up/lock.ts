import { createHash } from "node:crypto";
import { realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is ours until released; also when this process is killed, since the system closes its sockets. */
type Lock = { release: () => Promise<void> };

/** Either the lock, or who has it; the pid is null where the holder did not say. */
export type LockOutcome = { ok: true; lock: Lock } | { ok: false; holder: number | null };

/**
 * Takes a folder for this process by listening on a local socket that is named after it. A file with a process id in
 * it would outlive a crash, and ids are reused.
 */
export async function lockFolder(folder: string): Promise<LockOutcome> {
  const name = socketName(realpathSync(folder));
  for (let attempt = 0; ; attempt++) {
    const server = await listen(name);
    if (server !== null) return { ok: true, lock: { release: () => close(server) } };
    const holder = await askHolder(name);
    if (holder.isAlive || attempt === 3) return { ok: false, holder: holder.pid };
    // Only a socket file can be left behind; the names of Linux and Windows vanish with their process.
    if (isFile(name)) rmSync(name, { force: true });
  }
}

function socketName(path: string): string {
  const id = `incipit-up-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
  if (process.platform === "linux") return `\0${id}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${id}`;
  return join(tmpdir(), `${id}.sock`);
}

const isFile = (name: string) => !name.startsWith("\0") && !name.startsWith("\\\\");

async function listen(name: string): Promise<Server | null> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(`${process.pid}\n`);
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(null) : reject(error),
    );
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

function askHolder(name: string): Promise<{ isAlive: boolean; pid: number | null }> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(name);
    socket.setTimeout(2_000, () => socket.destroy());
    let isAlive = false;
    socket.on("connect", () => (isAlive = true));
    socket.on("data", (chunk) => (text += chunk.toString("utf8")));
    socket.on("error", () => {});
    socket.on("close", () => {
      const pid = /^([0-9]+)\n/.exec(text)?.[1];
      resolve({ isAlive, pid: pid === undefined ? null : Number(pid) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
