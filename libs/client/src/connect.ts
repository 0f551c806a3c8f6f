import { connectBus, parseServers, type Bus } from "@incipit/bus";
import { problem, type ErrorCode } from "@incipit/schema";
import { IncipitError } from "./error.ts";
import { toBusOptions, type ClientSettings, type ConnectionSettings } from "./options.ts";

/** Connects to the bus. What goes wrong is an `IncipitError` with its cause: `bad_request` or `unavailable`. */
export async function connect(options: ConnectionSettings & ClientSettings): Promise<Bus> {
  const busOptions = toBusOptions(options);
  try {
    parseServers(busOptions.servers);
  } catch (cause) {
    throw asError("bad_request", cause);
  }
  try {
    return await connectBus(busOptions);
  } catch (cause) {
    const file = unreadable(cause);
    throw file === null
      ? asError("unavailable", cause)
      : new IncipitError(problem("bad_request", `${file} cannot be read.`), { cause });
  }
}

/** The file that could not be opened, or null where the failure is another. */
function unreadable(cause: unknown): string | null {
  return cause instanceof Error && "syscall" in cause && cause.syscall === "open" && "path" in cause
    ? String(cause.path)
    : null;
}

function asError(code: ErrorCode, cause: unknown): IncipitError {
  return new IncipitError(problem(code, cause instanceof Error ? cause.message : String(cause)), { cause });
}
