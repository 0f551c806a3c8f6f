import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { lockFolder } from "./lock.ts";

const folder = mkdtempSync(join(tmpdir(), "incipit-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("gives a folder to one holder at a time, by whatever path, and says who that is", async () => {
  const first = await lockFolder(folder);
  if (!first.ok) throw new Error("must be free");
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  try {
    expect(await lockFolder(link)).toEqual({ ok: false, holder: process.pid });
  } finally {
    rmSync(link);
  }
  await first.lock.release();
  const again = await lockFolder(folder);
  expect(again.ok).toBe(true);
  if (again.ok) await again.lock.release();
});
