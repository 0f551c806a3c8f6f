import { HEADERS } from "@incipit/events";
import {
  ERROR_STATUS,
  isErrorCode,
  ok,
  parseErrorReply,
  refuse,
  type ErrorCode,
  type Problem,
  type Result,
} from "@incipit/schema";
import type { MsgHdrs } from "nats";
import { decodeBody } from "./rpc-codec.ts";
import type { RpcAnswer } from "./rpc.ts";

/** Reads a reply: an answer, or the refusal that an error reply carries, whoever wrote it. */
export function readReply(data: Uint8Array, headers: MsgHdrs | undefined): Result<RpcAnswer> {
  const failed = headers?.get(HEADERS.errorCode) ?? "";
  const decoded = decodeBody(data, "The reply");
  if (failed === "" && !decoded.ok) return refuse("internal", decoded.problem.message);
  const body = decoded.ok ? decoded.value : null;
  const error = errorOf(body);
  if (error !== null) return { ok: false, problem: readProblem(error, Number(failed)) };
  if (failed !== "") {
    const line = headers?.get(HEADERS.error) ?? "";
    const message = `The service answered with error ${failed}${line === "" ? "." : `: ${line}`}`;
    return refuse(codeForStatus(Number(failed)), message);
  }
  return ok({ body, instance: headers?.get(HEADERS.instance) || null });
}

type ForeignError = Record<string, unknown> & { code: string; message: string };

/** The `error` of an error reply, in so far as every release has it. */
function errorOf(body: unknown): ForeignError | null {
  if (typeof body !== "object" || body === null || !("error" in body)) return null;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error) || !("message" in error)) return null;
  return typeof error.code === "string" && typeof error.message === "string"
    ? { ...error, code: error.code, message: error.message }
    : null;
}

function readProblem(error: ForeignError, headerStatus: number): Problem {
  const status = typeof error["status"] === "number" ? error["status"] : headerStatus;
  const code = isErrorCode(error.code) ? error.code : codeForStatus(status);
  const message =
    code === error.code
      ? error.message
      : `${error.message} (Its code, ${JSON.stringify(error.code)}, is newer than this release.)`;
  const known = { code, status: ERROR_STATUS[code], message };
  // Details of a shape that this release does not know are left out rather than the whole refusal.
  return parseErrorReply({ error: { ...error, ...known } }) ?? known;
}

/** The nearest code of the closed list for a status, where a later release has sent a code of its own. */
function codeForStatus(status: number): ErrorCode {
  switch (status) {
    case 404:
      return "key_not_found";
    case 409:
      return "conflict";
    case 413:
      return "too_large";
    case 422:
      return "check_failed";
    case 503:
      return "unavailable";
    case 504:
      return "timeout";
    default:
      return status >= 400 && status < 500 ? "bad_request" : "internal";
  }
}
