import { headers as createHeaders } from "nats";
import { expect, it } from "vitest";
import { encodeBody } from "./rpc-codec.ts";
import { readReply } from "./rpc-reply.ts";

const headersOf = (values: Record<string, string>) => {
  const headers = createHeaders();
  for (const [name, value] of Object.entries(values)) headers.set(name, value);
  return headers;
};
const failure = (status: string, line = "oops") =>
  headersOf({ "Nats-Service-Error-Code": status, "Nats-Service-Error": line });

it("an answer comes with who gave it", () => {
  expect(readReply(encodeBody({ a: 1 }), headersOf({ "Incipit-Instance": "X" }))).toEqual({
    ok: true,
    value: { body: { a: 1 }, instance: "X" },
  });
  expect(readReply(encodeBody({ a: 1 }), undefined)).toEqual({
    ok: true,
    value: { body: { a: 1 }, instance: null },
  });
});

it("a refusal comes with all its details, and with those of later releases", () => {
  const error = { code: "bad_context", status: 400, message: "no", path: "a.b", line: 3, later: [1] };
  expect(readReply(encodeBody({ error }), failure("400"))).toEqual({ ok: false, problem: error });
  // Headers can be lost on the way through a bridge; the body says it too.
  expect(readReply(encodeBody({ error }), undefined)).toEqual({ ok: false, problem: error });
});

it.each([
  [400, "bad_request"],
  [403, "bad_request"],
  [404, "key_not_found"],
  [409, "conflict"],
  [413, "too_large"],
  [422, "check_failed"],
  [429, "bad_request"],
  [500, "internal"],
  [503, "unavailable"],
  [504, "timeout"],
  [undefined, "internal"],
])("a code of a later release with status %s counts as %s", (status, code) => {
  const error = { code: "newly_invented", ...(status !== undefined && { status }), message: "No.", key: "k" };
  expect(readReply(encodeBody({ error }), undefined)).toMatchObject({
    ok: false,
    problem: { code, key: "k", message: expect.stringMatching(/^No\. .*"newly_invented"/) },
  });
});

it("details of a shape that is not ours do not hide the refusal", () => {
  const error = { code: "check_failed", status: 422, message: "no", findings: "many" };
  expect(readReply(encodeBody({ error }), undefined)).toEqual({
    ok: false,
    problem: { code: "check_failed", status: 422, message: "no" },
  });
});

it("an error in headers alone, as other services of NATS write it, is a refusal too", () => {
  expect(readReply(new Uint8Array(), failure("503", "busy"))).toMatchObject({
    ok: false,
    problem: { code: "unavailable", message: "The service answered with error 503: busy" },
  });
  expect(readReply(Uint8Array.of(0xff), failure("weird"))).toMatchObject({ problem: { code: "internal" } });
});

it("a reply that is no JSON, or nothing, is a bug", () => {
  expect(readReply(new Uint8Array(), undefined)).toMatchObject({ problem: { code: "internal" } });
  expect(readReply(new TextEncoder().encode("<html>"), undefined)).toMatchObject({
    ok: false,
    problem: {
      code: "internal",
      message: "The reply is not JSON: at line 1, column 1, a value is expected.",
    },
  });
});
