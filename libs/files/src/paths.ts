import { DEFAULT_SETTINGS, parseKey, refuse, type Kind, type Result } from "@incipit/schema";

/** The extensions of template files. The extension says nothing about the syntax; front matter does. */
export const TEMPLATE_EXTENSIONS = [".md", ".hbs", ".txt"] as const;

/** What a path is called in a message: quoted, and never longer than a line. */
export function showPath(path: string): string {
  return JSON.stringify(path.length > 240 ? `${path.slice(0, 240)}…` : path);
}

/**
 * The key of a template file: its path relative to the imported folder, with `/` between segments, without extension.
 * Absolute paths, `.` and `..` are refused, and so is what is no key (`bad_key`).
 */
export function keyOfPath(path: string): Result<string> {
  const refused = (why: string) =>
    refuse("bad_request", `${showPath(path)} is not a template file: ${why}.`, { path });
  if (/^([/\\]|[A-Za-z]:)/.test(path))
    return refused("the path is absolute, it must be relative to the folder");
  const extension = TEMPLATE_EXTENSIONS.find((known) => path.endsWith(known));
  if (extension === undefined) return refused(`it ends with none of ${TEMPLATE_EXTENSIONS.join(" ")}`);
  const stem = path.slice(0, -extension.length);
  if (stem.split(/[/\\]/).some((segment) => segment === "." || segment === ".."))
    return refused('"." and ".." are not allowed in a path');
  const key = parseKey(stem);
  if (key.ok) return key;
  const { code, message } = key.problem;
  return refuse(code, `${showPath(path)} names no template. ${message}`, { path });
}

/** The path under which a key is exported. */
export function pathOfKey(key: string): string {
  return `${key}.md`;
}

/** The kind of a template whose file does not say: anything below a folder `_partials` is a partial. */
export function kindOfKey(key: string): Kind {
  return key.split("/").slice(0, -1).includes("_partials") ? "partial" : DEFAULT_SETTINGS.kind;
}
