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
const MUTATIONS = JSON.parse(readFileSync(path.join(root, "scripts/checker-mutations.json"), "utf8"));

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
