import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as templates from "./index.ts";

it("README's example runs, and gives what README says", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, example = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const [imported = "", names = ""] = /^import \{ (.+) \} from "@incipit\/templates";$/m.exec(example) ?? [];
  const [, shown = ""] = /^\/\/ (\{ ok: true.*)$/m.exec(example) ?? [];
  const run = (code: string): unknown =>
    // oxlint-disable-next-line no-implied-eval -- it is our own README
    (new Function("templates", `const { ${names} } = templates;\n${code}`) as (all: object) => unknown)(
      templates,
    );
  expect(shown).not.toBe("");
  expect(run(`${example.replace(imported, "")}\nreturn result;`)).toEqual(run(`return ${shown};`));
});
