import {
  ok,
  type DiffReply,
  type diffPayloadSchema,
  type Result,
  type TemplateVersion,
} from "@incipit/schema";
import { unifiedDiff } from "@incipit/files";
import type { prepareGet } from "./get.ts";

type Payload = ReturnType<typeof diffPayloadSchema.parse>;

/** `diff`: what two versions of a key differ in, as unified diffs of their bodies and of their settings. */
export function prepareDiff(get: ReturnType<typeof prepareGet>) {
  return function diff(key: string, { from, to }: Payload): Result<DiffReply> {
    const [a, b] = [sideOf(key, from), sideOf(key, to)];
    if (!a.ok) return a;
    if (!b.ok) return b;
    const compare = (textOf: (side: TemplateVersion) => string) =>
      unifiedDiff(
        { name: `${key}@${a.value.version}`, text: textOf(a.value) },
        { name: `${key}@${b.value.version}`, text: textOf(b.value) },
      );
    return ok({
      key,
      from: describe(a.value, from),
      to: describe(b.value, to),
      body: compare(({ body }) => body),
      settings: compare(settingsText),
    });
  };

  function sideOf(key: string, pointer: number | string): Result<TemplateVersion> {
    return get(key, typeof pointer === "number" ? { version: pointer } : { label: pointer });
  }
}

function describe({ version, hash }: TemplateVersion, pointer: number | string) {
  return { version, hash, label: typeof pointer === "string" ? pointer : null };
}

function settingsText({ kind, syntax, contract, onError, config, tags }: TemplateVersion): string {
  return `${JSON.stringify({ kind, syntax, contract, onError, config, tags }, null, 2)}\n`;
}
