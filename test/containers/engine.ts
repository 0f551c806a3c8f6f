import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";

const exec = promisify(execFile);

/** Characters of a command's output that a failure shows, from the end. */
const SHOWN_LENGTH = 8_000;

/** Whether a Docker engine answers on this machine; where none does, says on stdout what is skipped for it. */
export function engineAnswers(skipped: string): boolean {
  const { status, stderr, error } = spawnSync("docker", ["info", "--format", "{{.ServerVersion}}"], {
    encoding: "utf8",
    timeout: 30_000,
  });
  if (status === 0) return true;
  process.stdout.write(
    `skipped, no Docker engine answers (${error?.message ?? stderr.trim()}): ${skipped}\n`,
  );
  return false;
}

/** Runs `docker` and gives what it printed on stdout, trimmed; throws with the end of its output if it fails. */
export async function docker(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const { stdout } = await exec("docker", args, { ...options, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  } catch (error) {
    // execFile's error carries both outputs; its own message repeats stderr whole.
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`docker ${args.join(" ")} failed:\n${(stdout + stderr).slice(-SHOWN_LENGTH)}`, {
      cause: error,
    });
  }
}

const containerSchema = z.object({
  Id: z.string(),
  Name: z.string(),
  RestartCount: z.number(),
  State: z.object({
    Pid: z.number(),
    Running: z.boolean(),
    ExitCode: z.number(),
    StartedAt: z.string(),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
  Config: z.object({ User: z.string() }),
  HostConfig: z.object({ ReadonlyRootfs: z.boolean(), CapDrop: z.array(z.string()).nullable() }),
});

/** A container as the engine describes it now. */
export type Container = z.infer<typeof containerSchema>;

/** Asks the engine about a container. */
export async function inspect(id: string): Promise<Container> {
  const [container] = z.array(containerSchema).parse(JSON.parse(await docker(["inspect", id])));
  if (container === undefined) throw new Error(`the engine knows no container ${id}`);
  return container;
}
