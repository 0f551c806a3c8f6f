// Shows that the tests of the checker would notice if one of its rules were gone: each rule is disabled in a copy of the
// language, and the copy must fail them. `node scripts/mutate-checker.mjs [NAME…]`.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * What is changed, in which file below libs/templates/src/check, and what that makes of the checker: `unsound`, so that a
 * render of what it accepts must fail; or `stricter`, so that it must accept less of the fixed corpus.
 */
const MUTATIONS = [
  {
    name: "path narrowing",
    becomes: "stricter",
    file: "facts.ts",
    from: "type = refine(unite(type.map((atom) => stepOn(atom, step))), facts, counter);",
    to: "type = unite(type.map((atom) => stepOn(atom, step)));",
  },
  {
    name: "alias through with",
    becomes: "stricter",
    file: "body.ts",
    from: 'walkBody(checker, inside, inner({ kind: "access", access: place }), body);',
    to: 'walkBody(checker, env, inner({ kind: "access", access: place }), body);',
  },
  {
    name: "variant filter",
    becomes: "stricter",
    file: "facts.ts",
    from: "if (narrowed !== null && isPossible(narrowed, facts, counter)) left.push(narrowed);",
    to: "if (narrowed !== null) left.push(narrowed);",
  },
  {
    name: "lists that may be empty",
    becomes: "unsound",
    file: "types.ts",
    from: "return shape.minItems > 0 ? [list] : [EMPTY_LIST, list];",
    to: "return [list];",
  },
  {
    name: "lists with a minimum",
    becomes: "stricter",
    file: "types.ts",
    from: "return shape.minItems > 0 ? [list] : [EMPTY_LIST, list];",
    to: "return [EMPTY_LIST, list];",
  },
  {
    name: "block parameters hide fields",
    becomes: "unsound",
    file: "scopes.ts",
    from: '    case "scope":\n    case "item":\n      return climb(scope, start.up).value;',
    to: '    case "item":\n      return { kind: "access", access: root };\n    case "scope":\n      return climb(scope, start.up).value;',
  },
  {
    name: "facts of the else branch",
    becomes: "stricter",
    file: "body.ts",
    from: "const whenFalse = assume(checker, env, scope, condition, false, includeZero);",
    to: "const whenFalse = env;",
  },
  {
    name: "the else branch is not the body",
    becomes: "unsound",
    file: "body.ts",
    from: "const whenFalse = assume(checker, env, scope, condition, false, includeZero);",
    to: "const whenFalse = whenTrue;",
  },
  {
    name: "context of partials",
    becomes: "unsound",
    file: "body.ts",
    from: "walkBody(checker, env, { value, key: null, outer: null }, unit.parsed.body);",
    to: "walkBody(checker, env, { value: scope.value, key: null, outer: null }, unit.parsed.body);",
  },
  {
    name: "partials are walked",
    becomes: "unsound",
    file: "body.ts",
    from: "  checker.units.push(unit);",
    to: "  return;\n  checker.units.push(unit);",
  },
  {
    name: "narrowing by and, or",
    becomes: "stricter",
    file: "condition.ts",
    from: 'return assumeAll(checker, env, scope, args, isTrue, helper === "and");',
    to: "return env;",
  },
  {
    name: "and, or taken for each other",
    becomes: "unsound",
    file: "condition.ts",
    from: 'return assumeAll(checker, env, scope, args, isTrue, helper === "and");',
    to: 'return assumeAll(checker, env, scope, args, isTrue, helper !== "and");',
  },
  {
    name: "narrowing by not",
    becomes: "stricter",
    file: "condition.ts",
    from: "return assume(checker, env, scope, first, !isTrue, false);",
    to: "return env;",
  },
  {
    name: "discriminators by eq",
    becomes: "stricter",
    file: "condition.ts",
    from: "return assumeTest(checker, env, access, isEqual ? equalTo(value) : differentFrom(value));",
    to: "return env;",
  },
  {
    name: "what a default tells",
    becomes: "stricter",
    file: "condition.ts",
    from: "      if (second === undefined) return env;\n      // Either",
    to: "      if (second === undefined || isTrue || !isTrue) return env;\n      // Either",
  },
  {
    name: "0 as true in a default",
    becomes: "unsound",
    file: "condition.ts",
    from: "assume(checker, not, scope, second, isTrue, includeZero),",
    to: "assume(checker, not, scope, second, isTrue, false),",
  },
  {
    name: "null is not printed",
    becomes: "unsound",
    file: "body.ts",
    from: "  if (type.some(isNullish)) {\n    const goal = goalOf(env, place, isNullish);",
    to: "  if (type.length < 0) {\n    const goal = goalOf(env, place, isNullish);",
  },
  {
    name: "optional fields may be absent",
    becomes: "unsound",
    file: "types.ts",
    from: "return field.required || field.default !== undefined ? type : [...type, ABSENT];",
    to: "return type;",
  },
  {
    name: "names of records may be missing",
    becomes: "unsound",
    file: "access.ts",
    from: 'case "record":\n      return [...atom.value(), ABSENT];',
    to: 'case "record":\n      return atom.value();',
  },
  {
    name: "fields of a sibling are absent",
    becomes: "unsound",
    file: "types.ts",
    from: "if (field === undefined) return siblings.has(name) ? [ABSENT] : undefined;",
    to: "if (field === undefined) return siblings.has(name) ? TEXTS : undefined;",
  },
  {
    name: "arguments must fit",
    becomes: "unsound",
    file: "call.ts",
    from: "if (!env.reachable || type === null || !type.some(isBad)) return true;",
    to: "if (type !== null || type === null) return true;",
  },
  {
    name: "reads of loops",
    becomes: "unsound",
    file: "reads-tree.ts",
    from: "return [(node.items ??= createNode())];",
    to: "return [createNode()];",
  },
  {
    name: "block parameters keep their own scope",
    becomes: "unsound",
    file: "scopes.ts",
    from: '    case "scope":\n    case "item":\n      return climb(scope, start.up).value;',
    to: '    case "item":\n      return scope.value;\n    case "scope":\n      return climb(scope, start.up).value;',
  },
  {
    name: "not taken for its argument",
    becomes: "unsound",
    file: "condition.ts",
    from: "return assume(checker, env, scope, first, !isTrue, false);",
    to: "return assume(checker, env, scope, first, isTrue, false);",
  },
  {
    name: "0 is false inside of not",
    becomes: "unsound",
    file: "condition.ts",
    from: "return assume(checker, env, scope, first, !isTrue, false);",
    to: "return assume(checker, env, scope, first, !isTrue, includeZero);",
  },
  {
    name: "eq and ne taken for each other",
    becomes: "unsound",
    file: "condition.ts",
    from: ': assumeEqual(checker, env, scope, call, isTrue === (helper === "eq"));',
    to: ': assumeEqual(checker, env, scope, call, isTrue === (helper === "ne"));',
  },
  {
    name: "0 as true of a path",
    becomes: "unsound",
    file: "condition.ts",
    from: "const test = includeZero ? (isTrue",
    to: "const test = includeZero && scope === null ? (isTrue",
  },
  {
    name: "0 as true of a length",
    becomes: "unsound",
    file: "condition.ts",
    from: "if (includeZero) return isTrue ? env : unreachable();",
    to: "",
  },
  {
    name: "fields by name replace a list",
    becomes: "unsound",
    file: "values.ts",
    from: "fieldOf(atom, read.name) !== undefined && !(isCovered && isList(atom));",
    to: "fieldOf(atom, read.name) !== undefined;",
  },
  {
    name: "keys into what fields by name lie over",
    becomes: "unsound",
    file: "values.ts",
    from: "const isSure = types.length > 0 && !types.includes(undefined);",
    to: "const isSure = types.length > 0;",
  },
  {
    name: "keys into objects are names of fields",
    becomes: "unsound",
    file: "call.ts",
    from: "if (!isKnownKey(site, type, key)) return UNKNOWN_VALUE;",
    to: "",
  },
  {
    name: "fields by name come before the context's",
    becomes: "unsound",
    file: "values.ts",
    from: "if (given !== undefined) return given;",
    to: 'if (given !== undefined && holder.base.kind === "unknown") return given;',
  },
  {
    name: "each loop has items of its own",
    becomes: "unsound",
    file: "body.ts",
    from: "key: `[each ${checker.loops++}]`",
    to: "key: `[each]`",
  },
  {
    name: "a lookup is not the loop's item",
    becomes: "unsound",
    file: "scopes.ts",
    from: "key: `[lookup ${by.key}]`",
    to: "key: `[each 0]`",
  },
  {
    name: "what a length tells",
    becomes: "stricter",
    file: "condition.ts",
    from: "return assumeSize(checker, env, access, mayBeMore);",
    to: "return env;",
  },
  {
    name: "lengths taken the other way round",
    becomes: "unsound",
    file: "condition.ts",
    from: ': [b, a.kind === "literal" ? a.value : null, COMPARE[OPPOSITE[helper]]];',
    to: ': [b, a.kind === "literal" ? a.value : null, COMPARE[helper]];',
  },
  {
    name: "lengths between the bounds",
    becomes: "unsound",
    file: "condition.ts",
    from: "if (mayBeEmpty && mayBeMore) return env;",
    to: "",
  },
  {
    name: "a default decides where its first is not there",
    becomes: "unsound",
    file: "condition.ts",
    from: "assume(checker, not, scope, second, isTrue, includeZero),",
    to: "",
  },
  {
    name: "a default gives its second too",
    becomes: "unsound",
    file: "call.ts",
    from: "return typed(unite([type.filter((atom) => !isNullish(atom)), second.value.type]));",
    to: "return typed(type.filter((atom) => !isNullish(atom)));",
  },
  {
    name: "includes are remembered with what is known",
    becomes: "unsound",
    file: "body.ts",
    from: "walk.env === env && walk.given === given",
    to: "walk.given === given",
  },
  {
    name: "includes are remembered with what they are given",
    becomes: "unsound",
    file: "body.ts",
    from: "walk.env === env && walk.given === given",
    to: "walk.env === env",
  },
  {
    name: "keys of loops have no fields",
    becomes: "unsound",
    file: "expression.ts",
    from: "if (first === undefined || type === null) return { type, operand: null };",
    to: "if (first === undefined || type !== undefined) return { type, operand: null };",
  },
  {
    name: "what json reads",
    becomes: "unsound",
    file: "call.ts",
    from: "touchAll(checker, first.value.operand);\n      if (second",
    to: "if (second",
  },
  {
    name: "places beyond a minimum",
    becomes: "unsound",
    file: "access.ts",
    from: "return Number(name) < atom.min ? atom.item() : [...atom.item(), ABSENT];",
    to: "return atom.item();",
  },
  {
    name: "keys of loops",
    becomes: "unsound",
    file: "body.ts",
    from: "return unite([type.some(isNamed) ? names : [],",
    to: "return unite([type.some(isNamed) ? NUMBERS : [],",
  },
];

const wanted = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0)
  throw new Error(`no such mutation; there are: ${MUTATIONS.map(({ name }) => name).join(", ")}`);

/** A copy of what the checker is made of; all else is linked. */
const copy = mkdtempSync(path.join(tmpdir(), "incipit-mutation-"));
for (const name of ["package.json", "vitest.config.ts", "tsconfig.base.json"])
  cpSync(path.join(root, name), path.join(copy, name));
const PACKAGES = ["schema", "templates"];
// Packages of the workspace stand in node_modules as links to the original: here they must lead to the copy.
mkdirSync(path.join(copy, "node_modules/@incipit"), { recursive: true });
for (const name of readdirSync(path.join(root, "node_modules")))
  if (name !== "@incipit")
    symlinkSync(path.join(root, "node_modules", name), path.join(copy, "node_modules", name));
for (const name of PACKAGES) {
  cpSync(path.join(root, "libs", name), path.join(copy, "libs", name), { recursive: true });
  symlinkSync(path.join(copy, "libs", name), path.join(copy, "node_modules/@incipit", name));
}

const TESTS = {
  unsound: ["libs/templates/src/soundness.test.ts"],
  stricter: ["libs/templates/src/completeness.test.ts"],
};
const results = path.join(copy, "results.json");

/** Runs tests; gives the messages of those that failed, by file. */
function test(files) {
  rmSync(results, { force: true });
  const reporter = ["--reporter=json", `--outputFile=${results}`];
  spawnSync("npx", ["vitest", "run", "--project", "unit", ...reporter, ...files], { cwd: copy });
  const { testResults } = JSON.parse(readFileSync(results, "utf8"));
  const messages = (name) =>
    testResults
      .filter((file) => file.name.endsWith(name))
      .flatMap(({ assertionResults, message }) => [
        message,
        ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
      ])
      .filter((message) => message !== undefined && message !== "");
  return { soundness: messages("soundness.test.ts"), completeness: messages("completeness.test.ts") };
}

/** Whether the tests failed for the very reason that the mutation gives; a crash is none. */
function isNoticed(becomes, { soundness, completeness }) {
  if (becomes === "unsound")
    return soundness.some((message) =>
      /field_missing:|render_failed:|internal:|is refused for what is read|was read after all/.test(message),
    );
  const [, found, before] = /expected (\d+) to be (\d+)/.exec(completeness.join("\n")) ?? [];
  return found !== undefined && Number(found) < Number(before);
}

let unnoticed = 0;
try {
  const whole = test([...TESTS.unsound, ...TESTS.stricter]);
  const faults = [...whole.soundness, ...whole.completeness];
  if (faults.length > 0)
    throw new Error(`the tests fail as things are:\n${faults.join("\n").slice(0, 3_000)}`);
  for (const { name, becomes, file, from, to } of chosen) {
    const at = path.join(copy, "libs/templates/src/check", file);
    const source = readFileSync(at, "utf8");
    if (source.split(from).length !== 2) throw new Error(`${name}: ${file} does not hold, once: ${from}`);
    writeFileSync(
      at,
      source.replace(from, () => to),
    );
    const since = performance.now();
    const seen = test(TESTS[becomes]);
    writeFileSync(at, source);
    const isSeen = isNoticed(becomes, seen);
    if (!isSeen) unnoticed++;
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    console.log(`${isSeen ? "noticed" : "NOT NOTICED"}: ${name}, ${becomes} (${seconds} s)`);
    if (!isSeen) console.log([...seen.soundness, ...seen.completeness].join("\n").slice(0, 800));
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} noticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;
