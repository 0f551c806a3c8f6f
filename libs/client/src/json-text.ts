import { decodeBody } from "@incipit/bus";
import type { Result } from "@incipit/schema";

/**
 * Reads JSON that a person wrote, by the rules of the bus (nesting, no byte order mark). A refusal (`bad_request`) says
 * line and column, and what would have to stand there. `what` is its subject: `context.json`.
 */
export function parseJsonText(text: string, what: string): Result<unknown> {
  return decodeBody(new TextEncoder().encode(text), what);
}
