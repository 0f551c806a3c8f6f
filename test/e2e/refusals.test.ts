import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIncipit, startUp, type Up } from "../support/command.ts";

let dir: string;
let up: Up;
const incipit = (args: readonly string[], stdin = "") =>
  runIncipit(args, { env: { NATS_URL: up.url }, stdin });
/** Runs a command line that must end 0 and gives its stdout. */
async function done(args: readonly string[], stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await incipit(args, stdin);
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return stdout;
}
const json = async (args: readonly string[]): Promise<unknown> => JSON.parse(await done([...args, "--json"]));

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-refusals-"));
  up = await startUp(["--port", "0", "--data", path.join(dir, "data"), "--renderers", "1"]);
});
afterAll(async () => {
  up.signal("SIGTERM");
  await up.exited;
  await rm(dir, { recursive: true, force: true });
});

describe("a refusal about what is stored", () => {
  beforeAll(async () => {
    await done(["add", "bad/typo", "-", "--activate"], "Hi {{nmae}}");
    await done(["add", "bad/_partials/foot", "-", "--kind", "partial", "--activate"], "By\n {{nmae}}");
    await done(["add", "bad/mail", "-"], "{{> bad/_partials/foot}}");
    await done(["activate", "bad/mail", "1", "--label", "staging2"]);
    await done(["activate", "bad/mail", "1"]);
  });

  it("of a render shows the place, the source line and a caret, also in a partial", async () => {
    const { code, stderr } = await incipit(["render", "bad/typo", "--context", "-"], "{}");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^incipit: field_missing: /);
    expect(stderr).toMatch(/\nbad\/typo@1:1:\d+ .*\n {2}1 \| Hi \{\{nmae\}\}\n {4}\| +\^/);
    expect((await incipit(["render", "bad/mail", "--context", "-"], "{}")).stderr).toMatch(
      /\nbad\/_partials\/foot:2:\d+ .*\n {2}2 \| {2}\{\{nmae\}\}\n {4}\| +\^/,
    );
  });

  it("of an activation shows the line that the finding is about", async () => {
    await done(["add", "bad/_partials/late", "-", "--kind", "partial"], "x");
    await done(["add", "bad/early", "-"], "Hi\n{{> bad/_partials/late}}");
    const { code, stderr } = await incipit(["activate", "bad/early", "1"]);
    expect(code).toBe(1);
    expect(stderr).toContain("\nbad/early@1:2:");
    expect(stderr).toContain("\n  2 | {{> bad/_partials/late}}\n    |     ^^^^");
  });

  it("never advises to move another label than the one asked for", async () => {
    await done(["deactivate", "bad/typo"]);
    const { stderr } = await incipit(["render", "bad/typo@staging3"]);
    expect(stderr).toContain("hint: Put a version live: incipit activate bad/typo VERSION --label staging3.");
    expect((await incipit(["show", "bad/typo@staging3"])).stderr).toContain("VERSION --label staging3.");
  });

  it("tells a kind that cannot change from somebody who was faster", async () => {
    const kind = await incipit(["add", "bad/mail", "-", "--kind", "partial"], "x");
    expect(kind.stderr).toContain("incipit: conflict: ");
    expect(kind.stderr).not.toContain("faster");
    const lost = await incipit(["add", "bad/mail", "-", "--expect-newest", "none"], "x");
    expect(lost.stderr).toContain("hint: Somebody else was faster: look at `incipit versions bad/mail`");
  });

  it("in front matter names the file that was given, the line and the settings there are", async () => {
    const text = "---\ntags: [a]\nkynd: prompt\n---\nx";
    const file = path.join(dir, "v2.md");
    await writeFile(file, text);
    expect((await incipit(["add", "bad/mail", file, "--front-matter"])).stderr).toContain(
      `"${file}":3:1: the front matter is not valid. "kynd" is not known here; known: kind, syntax,`,
    );
    expect((await incipit(["add", "bad/mail", "-", "--front-matter"], text)).stderr).toContain(
      '"stdin":3:1:',
    );
  });

  it("is in words that need no schema library, and names what was asked for and what is there", async () => {
    expect((await incipit(["add", "bad/tag", "-", "--tag", ""], "x")).stderr).toContain(
      "tags[0]: must not be empty",
    );
    const { stderr } = await incipit(["render", "bad/mail", "--min-seq", "999999", "--timeout", "500ms"]);
    expect(stderr).toMatch(/Log position 999999 was asked for .* stands at \d+\./);
  });

  it("takes all tags away where it is told to, and else keeps them", async () => {
    await done(["add", "bad/tagged", "-", "--tag", "a"], "1");
    await done(["add", "bad/tagged", "-"], "2");
    expect(await json(["show", "bad/tagged@2"])).toMatchObject({ tags: ["a"] });
    await done(["add", "bad/tagged", "-", "--no-tags"], "3");
    expect(await json(["show", "bad/tagged@3"])).toMatchObject({ tags: [] });
  });

  it("says under which label nothing was active", async () => {
    expect(await done(["deactivate", "bad/mail", "--label", "foo"])).toBe(
      "bad/mail was not active under foo: nothing changed, nothing answers under foo\n",
    );
  });
});
