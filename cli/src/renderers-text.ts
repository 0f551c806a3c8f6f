import type { RenderersReply } from "@incipit/schema";
import { count } from "./text.ts";

/** Says how many renderers serve what was done; nothing where nobody waited for them. */
export function renderersLine(renderers: RenderersReply | undefined): string {
  if (renderers === undefined) return "";
  const { applied, known, behind } = renderers;
  if (known === 0) return "no renderer has answered: nobody serves it yet\n";
  const late = behind.length === 0 ? "" : `; behind, or silent: ${behind.join(", ")}`;
  return `${applied} of ${count(known, "renderer")} ${known === 1 ? "serves" : "serve"} it${late}\n`;
}
