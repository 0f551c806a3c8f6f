import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { IncipitError } from "./error.ts";

async function failure(options: Parameters<typeof createClient>[0]): Promise<IncipitError> {
  const error: unknown = await createClient(options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof IncipitError)) throw new Error(`no IncipitError: ${String(error)}`);
  return error;
}

describe("a client that cannot connect", () => {
  it("says that nobody is there, with the cause", async () => {
    const error = await failure("nats://127.0.0.1:1");
    expect(error).toMatchObject({ code: "unavailable", status: 503 });
    expect(error.message).toContain("nothing listens there");
    expect(error.cause).toBeInstanceOf(Error);
  });

  it.each([
    ["an address that is none", "garbage://x", /^garbage:\/\/x is not a NATS URL/],
    ["a port that is none", "nats://a:99999", /is not a NATS URL/],
    ["no address", " ", /No NATS server is given/],
    [
      "credentials that are not there",
      { credsFile: "/nowhere/a.creds" },
      /^\/nowhere\/a\.creds cannot be read/,
    ],
  ])("refuses %s as a bad request", async (_, options, message) => {
    const error = await failure(options);
    expect(error.code).toBe("bad_request");
    expect(error.message).toMatch(message);
  });
});
