import { parseJsonText } from "@incipit/client";
import type { JsonObject } from "@incipit/schema";
import * as parse from "../arguments.ts";
import { askedFor } from "../stored-source.ts";
import type { CommonOptions, Host } from "../host.ts";
import { readText } from "../input.ts";
import { EXIT, type Io } from "../io.ts";
import { printable } from "../text.ts";

type Options = CommonOptions & { context?: string; minSeq?: number; label?: string; refuseExtra?: true };

/** `incipit render REF`: what an agent gets. Prints the text and nothing else. */
export function defineRender({ command, withClient, misuse, io }: Host): void {
  command("render", "render a template as an agent gets it; prints the text and nothing else")
    .argument("<ref>", "KEY, KEY@3 or KEY@staging")
    .option("--context <file>", "the context, a JSON object; - is stdin ({})")
    .option("--refuse-extra", "refuse fields of the context that the contract does not list")
    .option("--label <label>", "the pointer to follow (production)", parse.label)
    .option(
      "--min-seq <n>",
      "the log position the answer must reflect: the seq of an earlier reply",
      parse.wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .action(async (ref: string, options: Options) => {
      const context = await readContext(io, options.context);
      if (!context.ok) return misuse(options, context.message);
      return withClient(options, async ({ client, json, print, refuseStored }) => {
        const { label, minSeq, refuseExtra } = options;
        const result = await client.render(ref, {
          context: context.value,
          ...(label !== undefined && { label }),
          ...(minSeq !== undefined && { minSeq }),
          ...(refuseExtra === true && { extraFields: "refuse" as const }),
        });
        if (!result.ok) return refuseStored(result.problem, askedFor(ref, label));
        print(result.value, () => result.value.text);
        if (!json && result.value.stale)
          io.err("incipit: note: the renderer cannot reach the log; this is what it knew last.\n");
        if (!json)
          for (const warning of result.value.warnings) io.err(`incipit: warning: ${printable(warning)}\n`);
        return EXIT.done;
      });
    });
}

type Context = { ok: true; value: JsonObject } | { ok: false; message: string };

async function readContext(io: Io, file: string | undefined): Promise<Context> {
  if (file === undefined) return { ok: true, value: {} };
  const input = await readText(io, file);
  if (!input.ok) return input;
  const shown = file === "-" ? "stdin" : file;
  const parsed = parseJsonText(input.text, shown);
  if (!parsed.ok) return { ok: false, message: parsed.problem.message };
  const { value } = parsed;
  // What came out of JSON and is an object and no list is a JSON object.
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { ok: true, value: value as JsonObject };
  return { ok: false, message: `${shown} is JSON, but not an object: a context is {"field": value}.` };
}
