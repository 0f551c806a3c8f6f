// The long run of the checker's property tests: `npm run fuzz:check -- 200000` (so many pairs of a contract and a template).
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const pairs = process.argv[2] ?? "200000";
if (!/^[1-9]\d*$/.test(pairs)) throw new Error(`not a number of pairs: ${pairs}`);
const { status } = spawnSync(
  "npx",
  ["vitest", "run", "--project", "unit", "libs/templates/src/soundness.test.ts"],
  { cwd: root, stdio: "inherit", env: { ...process.env, FUZZ_PAIRS: pairs } },
);
process.exitCode = status ?? 1;
