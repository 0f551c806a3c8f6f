// Shows that the tests of the checker would notice if one of its rules were gone: each rule is disabled in a copy of the
// language, and the copy must fail them. `node scripts/mutate-checker.mjs [NAME…]`.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** What is changed, in which file below libs/templates/src/check, and which tests are to notice. */
const MUTATIONS = [
  {
    name: "path narrowing",
    file: "facts.ts",
    from: "type = refine(unite(type.map((atom) => stepOn(atom, step))), facts);",
    to: "type = unite(type.map((atom) => stepOn(atom, step)));",
  },
  {
    name: "alias through with",
    file: "body.ts",
    from: 'walkBody(checker, inside, inner({ kind: "access", access: place }), body);',
    to: 'walkBody(checker, env, inner({ kind: "access", access: place }), body);',
  },
  {
    name: "variant filter",
    file: "facts.ts",
    from: "if (narrowed !== null && isPossible(narrowed, facts)) left.push(narrowed);",
    to: "if (narrowed !== null) left.push(narrowed);",
  },
  {
    name: "lists that may be empty",
    file: "types.ts",
    from: "return shape.minItems > 0 ? [list] : [EMPTY_LIST, list];",
    to: "return [list];",
  },
  {
    name: "lists with a minimum",
    file: "types.ts",
    from: "return shape.minItems > 0 ? [list] : [EMPTY_LIST, list];",
    to: "return [EMPTY_LIST, list];",
  },
  {
    name: "block parameters hide fields",
    file: "scopes.ts",
    from: '    case "scope":\n    case "item":\n      return climb(scope, start.up).value;',
    to: '    case "item":\n      return { kind: "access", access: root };\n    case "scope":\n      return climb(scope, start.up).value;',
  },
  {
    name: "facts of the else branch",
    file: "body.ts",
    from: "const whenFalse = assume(checker, env, scope, condition, false, includeZero);",
    to: "const whenFalse = env;",
  },
  {
    name: "the else branch is not the body",
    file: "body.ts",
    from: "const whenFalse = assume(checker, env, scope, condition, false, includeZero);",
    to: "const whenFalse = whenTrue;",
  },
  {
    name: "context of partials",
    file: "body.ts",
    from: "walkBody(checker, env, { value, key: null, outer: null }, unit.parsed.body);",
    to: "walkBody(checker, env, { value: scope.value, key: null, outer: null }, unit.parsed.body);",
  },
  {
    name: "partials are walked",
    file: "body.ts",
    from: "  checker.units.push(unit);",
    to: "  return;\n  checker.units.push(unit);",
  },
  {
    name: "narrowing by and, or",
    file: "condition.ts",
    from: 'return assumeAll(checker, env, scope, args, isTrue, helper === "and");',
    to: "return env;",
  },
  {
    name: "and, or taken for each other",
    file: "condition.ts",
    from: 'return assumeAll(checker, env, scope, args, isTrue, helper === "and");',
    to: 'return assumeAll(checker, env, scope, args, isTrue, helper !== "and");',
  },
  {
    name: "narrowing by not",
    file: "condition.ts",
    from: "return assume(checker, env, scope, first, !isTrue, false);",
    to: "return env;",
  },
  {
    name: "discriminators by eq",
    file: "condition.ts",
    from: "return assumeTest(checker, env, access, isEqual ? equalTo(value) : differentFrom(value));",
    to: "return env;",
  },
  {
    name: "null is not printed",
    file: "body.ts",
    from: "  if (type.some(isNullish)) {\n    const goal = goalOf(env, place, isNullish);",
    to: "  if (type.length < 0) {\n    const goal = goalOf(env, place, isNullish);",
  },
  {
    name: "optional fields may be absent",
    file: "types.ts",
    from: "return field.required || field.default !== undefined ? type : [...type, ABSENT];",
    to: "return type;",
  },
  {
    name: "names of records may be missing",
    file: "access.ts",
    from: 'case "record":\n      return [...atom.value(), ABSENT];',
    to: 'case "record":\n      return atom.value();',
  },
  {
    name: "fields of a sibling are absent",
    file: "types.ts",
    from: "if (field === undefined) return siblings.has(name) ? [ABSENT] : undefined;",
    to: "if (field === undefined) return siblings.has(name) ? TEXTS : undefined;",
  },
  {
    name: "arguments must fit",
    file: "call.ts",
    from: "if (!env.reachable || type === null || !type.some(isBad)) return true;",
    to: "if (type !== null || type === null) return true;",
  },
  {
    name: "reads of loops",
    file: "reads-tree.ts",
    from: "return [(node.items ??= createNode())];",
    to: "return [createNode()];",
  },
];

const wanted = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0)
  throw new Error(`no such mutation; there are: ${MUTATIONS.map(({ name }) => name).join(", ")}`);

/** A copy of the workspace in which one package stands for the original; all else is linked. */
const copy = mkdtempSync(path.join(tmpdir(), "incipit-mutation-"));
for (const name of ["package.json", "vitest.config.ts", "tsconfig.base.json"])
  cpSync(path.join(root, name), path.join(copy, name));
symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
for (const name of ["schema"])
  cpSync(path.join(root, "libs", name), path.join(copy, "libs", name), { recursive: true });
cpSync(path.join(root, "libs/templates"), path.join(copy, "libs/templates"), { recursive: true });

const TESTS = ["libs/templates/src/soundness.test.ts", "libs/templates/src/completeness.test.ts"];
const test = () =>
  spawnSync("npx", ["vitest", "run", "--project", "unit", ...TESTS], { cwd: copy, encoding: "utf8" });

let unnoticed = 0;
try {
  const whole = test();
  if (whole.status !== 0) throw new Error(`the tests fail as things are:\n${whole.stdout.slice(-3_000)}`);
  for (const { name, file, from, to } of chosen) {
    const at = path.join(copy, "libs/templates/src/check", file);
    const source = readFileSync(at, "utf8");
    if (source.split(from).length !== 2) throw new Error(`${name}: ${file} does not hold, once: ${from}`);
    writeFileSync(
      at,
      source.replace(from, () => to),
    );
    const since = performance.now();
    const { status } = test();
    writeFileSync(at, source);
    if (status === 0) unnoticed++;
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    console.log(`${status === 0 ? "NOT NOTICED" : "noticed"}: ${name} (${seconds} s)`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} noticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;
