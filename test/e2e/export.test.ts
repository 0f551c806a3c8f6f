import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
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

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "incipit-export-"));
  up = await startUp(["--port", "0", "--data", path.join(dir, "data"), "--renderers", "1"]);
  await done(["add", "shop/mail", "-", "--activate"], "live");
  await done(["add", "shop/mail", "-"], "draft");
  await done(["add", "shop/note", "-"], "never released");
});
afterAll(async () => {
  up.signal("SIGTERM");
  await up.exited;
  await rm(dir, { recursive: true, force: true });
});

it("an export writes what is live, also under a label that points nowhere, and names what is not", async () => {
  const at = path.join(dir, "all");
  const { code, stderr } = await incipit(["export", at, "--label", "staging"]);
  expect(code).toBe(0);
  expect(stderr).toContain("note: not live, so that `import --activate` would put them live: shop/note.");
  expect(await readFile(path.join(at, "shop/mail.md"), "utf8")).toBe("live");
  expect(await done(["import", at])).toBe("0 created, 2 skipped (unchanged), 0 refused\n");
});

it("an export of the active alone leaves drafts out, so that an import puts nothing live", async () => {
  const at = path.join(dir, "active");
  const { stdout, stderr } = await incipit(["export", at, "--active-only", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ written: ["shop/mail"], notLive: [] });
  expect(stderr).toBe("");
  expect(await readdir(path.join(at, "shop"))).toEqual(["mail.md"]);
  expect(await done(["import", at, "--activate"])).toBe("0 created, 1 skipped (unchanged), 0 refused\n");
});

it("an export over a copy with other extensions keeps them, so that it can be imported again", async () => {
  const at = path.join(dir, "copy");
  await mkdir(path.join(at, "shop"), { recursive: true });
  await writeFile(path.join(at, "shop/mail.hbs"), "old");
  await writeFile(path.join(at, "shop/note.txt"), "old");
  expect((await incipit(["export", at])).code).toBe(2);
  await incipit(["export", at, "--force"]);
  expect((await readdir(path.join(at, "shop"))).toSorted()).toEqual(["mail.hbs", "note.txt"]);
  expect(await readFile(path.join(at, "shop/mail.hbs"), "utf8")).toBe("live");
  expect(await done(["import", at])).toMatch(/^0 created, 2 skipped/);
});

it("an import says every failure as one line of JSON, and what it passed over in its reply", async () => {
  const at = path.join(dir, "mixed");
  await mkdir(at);
  await writeFile(path.join(at, "ctx.json"), "{}");
  await writeFile(path.join(at, "good.md"), "x");
  const fine = await incipit(["import", at, "--json"]);
  expect(fine.stderr).toBe("");
  expect(JSON.parse(fine.stdout)).toMatchObject({ created: ["good"], ignored: ["ctx.json"] });
  const again = JSON.parse((await incipit(["import", at, "--json"])).stdout) as object;
  expect(again).toMatchObject({ created: [], skipped: ["good"] });
  expect(again).not.toHaveProperty("seq");

  await writeFile(path.join(at, "a.md"), "{{#if x}}");
  await writeFile(path.join(at, "b.md"), "{{> gone}}");
  const { code, stdout, stderr } = await incipit(["import", at, "--json"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      code: "check_failed",
      status: 422,
      message: "2 files refused, nothing was sent.",
      refused: [
        { path: "a.md", error: { code: "check_failed" } },
        { path: "b.md", error: { code: "check_failed" } },
      ],
    },
  });
  expect((await incipit(["import", path.join(dir, "nowhere"), "--json"])).stderr).toMatch(/^\{"error":\{/);
});
