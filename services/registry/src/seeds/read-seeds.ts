import type { Logger } from "@incipit/bus";
import type { Primitives } from "@incipit/events";
import { readTemplateFolder, type TemplateFile } from "@incipit/files";
import { canonicalJson } from "../domain/canonical.ts";
import type { Seed } from "../domain/commands.ts";
import { openFolder } from "./disk.ts";

/** Who is said to have sent a seed. */
const ACTOR = "incipit";

/**
 * Reads the seeds of all folders; a later folder wins per key. What is refused, and a folder that cannot be read, is logged
 * and left out: a bad seed must not keep the good ones from being served.
 */
export async function readSeeds(
  folders: readonly string[],
  primitives: Primitives,
  logger: Logger,
): Promise<Seed[]> {
  const seeds = new Map<string, Seed>();
  for (const folder of folders) {
    try {
      const { files, refused } = await readTemplateFolder(openFolder(folder, primitives));
      for (const { file } of files) seeds.set(file.key, seedOf(file, primitives));
      for (const { path, problem } of refused)
        logger.error({ folder, path, problem }, "a seed is skipped: it cannot be read");
    } catch (err) {
      logger.error({ err, folder }, "a folder of seeds cannot be read");
    }
  }
  return [...seeds.values()];
}

/** The command that stores a seed. Its id follows from its content, so that every instance sends the same. */
function seedOf({ key, body, settings }: TemplateFile, { sha256 }: Primitives): Seed {
  const hash = sha256(body);
  const commandHash = sha256(canonicalJson({ verb: "seed", key, hash, settings }));
  const commandId = `seed-${commandHash}`;
  return { type: "seed", key, body, hash, settings, actor: ACTOR, commandId, commandHash };
}
