import { DEFAULT_SETTINGS, ok, type Result, type TemplateSettings } from "@incipit/schema";
import {
  formatFrontMatter,
  opensFrontMatter,
  parseFrontMatter,
  splitFrontMatter,
  type FrontMatter,
} from "./front-matter.ts";
import { keyOfPath, kindOfKey } from "./paths.ts";

/** A template as a file holds it. `frontLines`: lines of the file before the body, where there are any. */
export type TemplateFile = { key: string; body: string; settings: TemplateSettings; frontLines?: number };

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Reads one template file. `path` is relative to the imported folder; `name` is what messages about what it says call it,
 * where it comes from elsewhere. The body is everything after the front matter, byte for byte; a byte order mark at the
 * very start of the file belongs to no body.
 */
export function parseTemplateFile(path: string, text: string, name: string = path): Result<TemplateFile> {
  const key = keyOfPath(path);
  if (!key.ok) return key;
  const split = splitFrontMatter(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, name);
  if (!split.ok) return split;
  const { yaml, body } = split.value;
  const stated = yaml === null ? ok<FrontMatter>({}) : parseFrontMatter(yaml, name);
  if (!stated.ok) return stated;
  const frontLines = text.slice(0, text.length - body.length).split("\n").length - 1;
  return ok({
    key: key.value,
    body,
    settings: withDefaults(key.value, stated.value),
    ...(frontLines > 0 && { frontLines }),
  });
}

/** Writes a template as a file: the inverse of `parseTemplateFile`. Settings that have their default are left out. */
export function formatTemplateFile(file: TemplateFile): string {
  const stated = statedSettings(file);
  const guarded = opensFrontMatter(file.body) || file.body.startsWith(BYTE_ORDER_MARK);
  if (Object.keys(stated).length === 0 && !guarded) return file.body;
  return formatFrontMatter(stated) + file.body;
}

function defaultsOf(key: string): TemplateSettings {
  return { ...DEFAULT_SETTINGS, kind: kindOfKey(key) };
}

function withDefaults(key: string, stated: FrontMatter): TemplateSettings {
  const defaults = defaultsOf(key);
  return {
    kind: stated.kind ?? defaults.kind,
    syntax: stated.syntax ?? defaults.syntax,
    contract: stated.contract ?? defaults.contract,
    onError: stated.onError ?? defaults.onError,
    config: stated.config ?? defaults.config,
    tags: stated.tags ?? defaults.tags,
  };
}

function statedSettings({ key, settings }: TemplateFile): FrontMatter {
  const defaults = defaultsOf(key);
  return {
    ...(settings.kind === defaults.kind ? {} : { kind: settings.kind }),
    ...(settings.syntax === defaults.syntax ? {} : { syntax: settings.syntax }),
    ...(settings.contract === null ? {} : { contract: settings.contract }),
    ...(settings.onError === defaults.onError ? {} : { onError: settings.onError }),
    ...(settings.config === null ? {} : { config: settings.config }),
    ...(settings.tags.length === 0 ? {} : { tags: settings.tags }),
  };
}
