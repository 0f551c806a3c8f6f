import { DEFAULT_SETTINGS, type TemplateSettings } from "@incipit/schema";
import { expect, it } from "vitest";
import { checkFile } from "./check-file.ts";

const check = (body: string, settings: Partial<TemplateSettings> = {}) => {
  const checked = checkFile({
    path: "a.md",
    file: { key: "a", body, settings: { ...DEFAULT_SETTINGS, ...settings } },
  });
  return checked.ok ? "fine" : checked.problem.code;
};

it("refuses half of a surrogate pair, wherever it stands", () => {
  expect(check("x", { tags: ["\ud800"] })).toBe("bad_request");
  expect(check("x", { config: { a: ["\udc00"] } })).toBe("bad_request");
  expect(check("x", { tags: ["🙂"] })).toBe("fine");
});

it("refuses settings that the registry would refuse", () => {
  expect(check("x", { contract: "no name" })).toBe("bad_request");
  expect(check("x", { tags: [""] })).toBe("bad_request");
});

it("refuses a body that escaping makes too large for the log", () => {
  expect(check("\u0001".repeat(200_000))).toBe("too_large");
  expect(check("x".repeat(200_000))).toBe("fine");
});
