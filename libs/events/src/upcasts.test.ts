import { expect, it } from "vitest";
import { upcast, UPCASTS, upcastsAreComplete, type UpcastSteps } from "./upcasts.ts";

it("every type has the steps that its current shape calls for", () => {
  expect(upcastsAreComplete()).toBe(true);
  expect(upcastsAreComplete({ ...UPCASTS, TemplateAdded: [(data) => data] })).toBe(false);
});

it("an old shape is brought up step by step, and a current one is left alone", () => {
  const steps: UpcastSteps = {
    ...UPCASTS,
    TemplateActivated: [
      (data) => ({ ...(data as object), note: "" }),
      (data) => ({ ...(data as object), reason: (data as { note: string }).note }),
    ],
  };
  expect(upcast("TemplateActivated", 1, { key: "a" }, steps)).toEqual({ key: "a", note: "", reason: "" });
  expect(upcast("TemplateActivated", 2, { key: "a", note: "n" }, steps)).toEqual({
    key: "a",
    note: "n",
    reason: "n",
  });
  expect(upcast("TemplateActivated", 3, { key: "a" }, steps)).toEqual({ key: "a" });
});
