import { problem } from "@incipit/schema";
import { formatError } from "./host.ts";
import type { Io } from "./io.ts";
import { runProgram } from "./program.ts";

/**
 * Hears the requests to end this process. Made when a command first asks for it (`up`, `log`): every other command ends
 * at once, as the system does it.
 */
function listenForEnd(): AbortSignal {
  const ended = new AbortController();
  let asked = 0;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      ended.abort();
      // Whoever asks a third time does not want to wait any more.
      if (++asked > 2) process.exit(1);
    });
  // A program that started us with a channel takes us along when it ends.
  process.on("disconnect", () => ended.abort());
  process.channel?.unref();
  return ended.signal;
}
let ended: AbortSignal | undefined;

// `incipit log | head`: the reader has what it wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const io: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async readStdin() {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  },
  env: process.env,
  get ended() {
    return (ended ??= listenForEnd());
  },
};

try {
  process.exitCode = await runProgram(process.argv.slice(2), io);
} catch (error) {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    process.argv.includes("--json") ? formatError(problem("internal", what)) : `incipit: internal: ${what}\n`,
  );
  process.exitCode = 1;
}
// Nothing is left to do. A socket that a server never answered on would keep the process alive all the same.
setTimeout(() => process.exit(), 1_000).unref();
