import { problem, type Problem } from "@incipit/schema";
import { expect, it } from "vitest";
import type { CommandRun } from "../host.ts";
import { EXIT } from "../io.ts";
import { exitCodeOf } from "../problem-text.ts";
import { refuseFiles } from "./refused-files.ts";

/** A run that only remembers what it refused. */
function recorded(json: boolean) {
  const refused: Problem[] = [];
  const run = {
    json,
    refuse: (one: Problem) => {
      refused.push(one);
      return exitCodeOf(one);
    },
  } as unknown as CommandRun;
  return { run, refused };
}
const taken = { path: "a.md", problem: problem("conflict", "Taken.") };
const bad = { path: "b.md", problem: problem("bad_key", "b.md: No key.") };
const gone = { path: "c.md", problem: problem("unavailable", "Gone.") };

it("names each file once, in its own refusal", () => {
  const { run, refused } = recorded(false);
  expect(refuseFiles(run, [taken, bad], "2 files refused.")).toBe(EXIT.refused);
  expect(refused.map(({ message }) => message)).toEqual(["a.md: Taken.", "b.md: No key."]);
});

it("is one error as JSON, with the code that all have", () => {
  const { run, refused } = recorded(true);
  expect(refuseFiles(run, [taken, taken], "2 files refused.")).toBe(EXIT.refused);
  refuseFiles(run, [taken, bad], "2 files refused.");
  expect(refused.map(({ code }) => code)).toEqual(["conflict", "bad_request"]);
  expect(refused[0]).toMatchObject({
    message: "2 files refused.",
    refused: [{ path: "a.md" }, { path: "a.md" }],
  });
});

it("is an outage where one file met one", () => {
  for (const json of [true, false])
    expect(refuseFiles(recorded(json).run, [taken, gone], "2 files refused.")).toBe(EXIT.unreachable);
});

it("is nothing where nothing was refused", () => {
  const { run, refused } = recorded(true);
  expect(refuseFiles(run, [], "")).toBe(EXIT.done);
  expect(refused).toEqual([]);
});
