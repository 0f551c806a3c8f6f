import { isDeepStrictEqual } from "node:util";
import type { Client } from "@incipit/client";
import type { AddReply, Problem, Result } from "@incipit/schema";
import type { ImportFile } from "./plan.ts";

/** What became of one file. */
export type Sent =
  | { file: ImportFile; outcome: "created" | "activated" | "unchanged"; reply: AddReply }
  | { file: ImportFile; outcome: "refused"; problem: Problem };

/** Commands that are on their way at once. */
const CONCURRENCY = 32;

/** How to store one file. */
export type AddFile = (file: ImportFile) => Promise<Result<AddReply>>;

/**
 * Stores files wave by wave, several at once. Stops with the first refusal: what is on its way is finished, the rest
 * is not sent. Each call carries an id of its own, which makes its retries safe; an id made from the content would not
 * do, since the same content may rightly be stored again after another one. `activeBefore` says which version of a key was
 * live already.
 */
export async function sendWaves(
  waves: readonly (readonly ImportFile[])[],
  add: AddFile,
  activeBefore: ReadonlyMap<string, number> = new Map(),
): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const wave of waves) {
    const outcomes = await sendAll(wave, add, activeBefore, () => true);
    sent.push(...outcomes);
    if (outcomes.some(({ outcome }) => outcome === "refused")) break;
  }
  return sent;
}

/** Sends files that do not need one another, several at once, until one is refused in a way that is to end it. */
export async function sendAll(
  files: readonly ImportFile[],
  add: AddFile,
  activeBefore: ReadonlyMap<string, number>,
  endsAll: (problem: Problem) => boolean,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const queue = files.values();
  let isStopped = false;
  const work = async () => {
    for (const file of queue) {
      const result = await add(file);
      sent.push(
        result.ok
          ? judge(file, result.value, activeBefore)
          : { file, outcome: "refused", problem: result.problem },
      );
      if (!result.ok && endsAll(result.problem)) isStopped = true;
      if (isStopped) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, files.length) }, work));
  return sent;
}

function judge(file: ImportFile, reply: AddReply, activeBefore: ReadonlyMap<string, number>): Sent {
  if (!reply.unchanged) return { file, outcome: "created", reply };
  // The reply says what is active now, not whether it was so before.
  const wasActive = reply.activated === null || activeBefore.get(file.file.key) === reply.version;
  return { file, outcome: wasActive ? "unchanged" : "activated", reply };
}

/** How to store a file through a client: all of its settings are stated, so that the file alone says what they are. */
export function addWith(
  client: Client,
  options: { activate?: true | string; note?: string; dryRun?: true },
): AddFile {
  return async ({ file: { key, body, settings } }) => {
    const result = await client.add(key, { body, ...settings, ...options });
    return result;
  };
}

/** Whether a file says what a stored version says; the order of fields in its config is not minded. */
export function isSame({ file }: ImportFile, { body, ...stored }: StoredTemplate): boolean {
  const { kind, syntax, contract, onError, config, tags } = stored;
  return (
    body === file.body && isDeepStrictEqual(file.settings, { kind, syntax, contract, onError, config, tags })
  );
}

/** What `isSame` compares. */
export type StoredTemplate = ImportFile["file"]["settings"] & { body: string };
