import type { TemplateFile } from "@incipit/files";
import {
  foldKey,
  problem,
  type Finding,
  type Kind,
  type ListItem,
  type Position,
  type Problem,
} from "@incipit/schema";
import { linkTemplate, parseTemplate, type ParsedTemplate, type ResolvedPartial } from "@incipit/templates";
import { checkFile } from "./check-file.ts";
import { unreadPartial } from "./stored-partials.ts";

/** One template file, as it was read. */
export type ImportFile = { path: string; file: TemplateFile };

/** What an import would do. */
export type ImportPlan = {
  /** Every file, in waves of which each needs only what stands in the ones before it. */
  waves: ImportFile[][];
  /** Of each key, the partials of the folder that it includes. */
  needs: ReadonlyMap<string, readonly string[]>;
  refused: Refusal[];
};

/** A file that cannot be imported, and why; `body` is what the findings point into. */
export type Refusal = { path: string; problem: Problem; body?: string };

/** What the files hold, by key, as far as it can be read; and the refusals of those that cannot. */
export type ReadFiles = { bodies: ReadonlyMap<string, ParsedTemplate>; refused: readonly Refusal[] };

/** Checks each file by itself, and reads its body. */
export function readBodies(files: readonly ImportFile[]): ReadFiles {
  const bodies = new Map<string, ParsedTemplate>();
  const refused: Refusal[] = [];
  for (const one of files) {
    const { key, body, settings } = one.file;
    const checked = checkFile(one);
    if (!checked.ok) refused.push({ path: one.path, problem: checked.problem });
    // The body of an assembly is no template; the registry says what it thinks of it.
    if (settings.kind === "assembly") continue;
    const parsed = parseTemplate(body, settings.syntax);
    if (parsed.ok) bodies.set(key, parsed.value);
    else if (checked.ok) refused.push({ path: one.path, problem: { ...parsed.problem, key }, body });
  }
  return { bodies, refused };
}

/**
 * Plans an import: checks what can be known before anything is sent (each file by itself, two files of one key, keys that
 * differ in case only, partials that are neither in the folder nor in the registry, cycles, includes that go too deep, cache
 * breakpoints that come twice), and puts partials before their users. `stored` holds what the files include of the registry.
 */
export function planImport(
  files: readonly ImportFile[],
  { bodies, refused: unreadable }: ReadFiles,
  existing: readonly Pick<ListItem, "key" | "kind">[],
  stored: ReadonlyMap<string, ResolvedPartial>,
): ImportPlan {
  const refused = [...unreadable, ...findTwins(files, existing)];
  const here = new Map(files.map((one) => [one.file.key, one]));
  const kinds = new Map<string, Kind>(existing.map(({ key, kind }) => [key, kind]));
  for (const { file } of files) kinds.set(file.key, file.settings.kind);
  const needs = new Map(
    files.map(({ file: { key } }) => [
      key,
      (bodies.get(key)?.partials ?? []).filter((partial) => here.has(partial)),
    ]),
  );
  const { waves, cycle } = sortIntoWaves(needs);
  const inCycle = new Set(cycle);
  for (const one of files) {
    const { path, file } = one;
    const { key, body } = file;
    const parsed = bodies.get(key);
    if (parsed === undefined || here.get(key) !== one) continue;
    const findings = findWrongIncludes(parsed.includes, kinds);
    if (body.trim() === "") findings.push({ code: "empty_body", message: "The body is blank.", ...START });
    if (findings.length > 0) refused.push({ path, problem: withFindings(key, findings), body });
    else if (inCycle.has(key))
      refused.push({
        path,
        problem: problem("check_failed", `${key} includes itself, through ${cycle.join(", ")}.`, { key }),
      });
    else {
      const linked = linkTemplate(key, parsed, (name) => {
        const own = bodies.get(name);
        if (own !== undefined) return { key: name, version: 0, parsed: own };
        // What is wrong with a body that cannot be read is said of its own file.
        return here.has(name) ? unreadPartial(name) : stored.get(name);
      });
      // What is wrong within another file of the folder is said of that file.
      if (
        !linked.ok &&
        !linked.problem.findings?.every(({ partial }) => partial !== undefined && here.has(partial))
      )
        refused.push({ path, problem: linked.problem, body });
    }
  }
  return {
    waves: waves.map((wave) => wave.flatMap((key) => here.get(key) ?? [])),
    needs,
    refused: refused.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path))),
  };
}

function findTwins(files: readonly ImportFile[], existing: readonly { key: string }[]): Refusal[] {
  const refused: Refusal[] = [];
  const stored = new Map(existing.map(({ key }) => [foldKey(key), key]));
  const seen = new Map<string, ImportFile>();
  for (const one of files) {
    const { key } = one.file;
    const twin = seen.get(foldKey(key));
    const known = stored.get(foldKey(key));
    if (twin !== undefined) {
      const how = twin.file.key === key ? "has the same key" : "differs from it only in case";
      refused.push({
        path: one.path,
        problem: problem("key_conflict", `${one.path}: ${twin.path} ${how}. Keep one of the two.`, { key }),
      });
    } else if (known !== undefined && known !== key)
      refused.push({
        path: one.path,
        problem: problem(
          "key_conflict",
          `${one.path}: the registry holds ${known}, which differs only in case.`,
          {
            key,
          },
        ),
      });
    seen.set(foldKey(key), one);
  }
  return refused;
}

const START: Position = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** What is included and does not exist, or is of another kind than a partial. */
function findWrongIncludes(
  includes: ParsedTemplate["includes"],
  kinds: ReadonlyMap<string, Kind>,
): Finding[] {
  return includes.flatMap(({ key, keyPosition }) => {
    const kind = kinds.get(key);
    if (kind === "partial") return [];
    return kind === undefined
      ? [
          {
            code: "unknown_partial",
            message: `There is no ${key}, neither in the folder nor in the registry.`,
            ...keyPosition,
          },
        ]
      : [
          {
            code: "not_a_partial",
            message: `${key} is of kind ${kind}; only a partial can be included.`,
            ...keyPosition,
          },
        ];
  });
}

function withFindings(key: string, findings: readonly Finding[]): Problem {
  const { message = "", line = 1, column = 1 } = findings[0] ?? {};
  return problem("check_failed", message, { key, line, column, findings });
}

/** Keys in waves: what needs nothing, what needs only that, and so on; and the keys of cycles, for which no order exists. */
function sortIntoWaves(needs: ReadonlyMap<string, readonly string[]>): {
  waves: string[][];
  cycle: string[];
} {
  const users = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const [key, partials] of needs) {
    const known = partials.filter((partial) => needs.has(partial));
    open.set(key, known.length);
    for (const partial of known) users.set(partial, [...(users.get(partial) ?? []), key]);
  }
  const waves: string[][] = [];
  let wave = [...open].filter(([, count]) => count === 0).map(([key]) => key);
  while (wave.length > 0) {
    waves.push(wave.toSorted());
    const next: string[] = [];
    for (const key of wave) {
      open.delete(key);
      for (const user of users.get(key) ?? []) {
        const left = (open.get(user) ?? 0) - 1;
        open.set(user, left);
        if (left === 0) next.push(user);
      }
    }
    wave = next;
  }
  return { waves, cycle: withoutMereUsers(new Set(open.keys()), needs) };
}

/** Takes away what nobody in the set needs, until only cycles (and what links them) are left. */
function withoutMereUsers(keys: Set<string>, needs: ReadonlyMap<string, readonly string[]>): string[] {
  for (let before = -1; before !== keys.size;) {
    before = keys.size;
    const needed = new Set([...keys].flatMap((key) => needs.get(key) ?? []));
    for (const key of keys) if (!needed.has(key)) keys.delete(key);
  }
  return [...keys];
}
