import { silentLogger } from "@incipit/bus";
import { ok, refuse } from "@incipit/schema";
import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.ts";
import { natsKinds } from "../support/nats-servers.ts";
import { gate, MAX_PAYLOAD, serviceOf, startRpcBench, WAIT_MS, type RpcBench } from "../support/rpc.ts";

for (const { name, bin } of await natsKinds())
  describe.skipIf(bin === null)(`request and reply over ${name}`, () => {
    let bench: RpcBench;
    beforeAll(async () => {
      bench = await startRpcBench(bin ?? "");
    });
    afterAll(() => bench?.dispose());

    it("answers with the body and the instance", async () => {
      const { instance } = await bench.serve({
        subject: "t.echo.>",
        handler: ({ subject, body }) => ok({ subject, body }),
      });
      expect(await bench.call("t.echo.a.b", { ключ: ["é", null] })).toEqual({
        ok: true,
        value: { body: { subject: "t.echo.a.b", body: { ключ: ["é", null] } }, instance },
      });
    });

    it("handles requests side by side", async () => {
      const { passed, open } = gate();
      let running = 0;
      await bench.serve({
        subject: "t.slow",
        async handler() {
          if (++running === 50) open();
          await passed;
          return ok(running);
        },
      });
      const answers = await Promise.all(Array.from({ length: 50 }, () => bench.call("t.slow")));
      expect(answers.every(({ ok }) => ok)).toBe(true);
    });

    it("carries a refusal whole, and says it in the headers of NATS's services too", async () => {
      const details = { path: "a.b", line: 2, column: 7 };
      await bench.serve({
        subject: "t.refuse",
        handler: () => refuse("check_failed", "No:\r\nüber “x”.", details),
      });
      const problem = { code: "check_failed", status: 422, message: "No:\r\nüber “x”.", ...details };
      expect(await bench.call("t.refuse")).toEqual({ ok: false, problem });
      const { body, headers } = await bench.callRaw("t.refuse", "{}");
      expect(body).toEqual({ error: problem });
      expect(headers?.get("Nats-Service-Error-Code")).toBe("422");
      expect(headers?.get("Nats-Service-Error")).toBe("No: ?ber ?x?.");
      expect(headers?.get("Incipit-Instance")).not.toBe("");
    });

    it("refuses what is no JSON before any handler sees it, with a line in the log for each", async () => {
      const lines: object[] = [];
      const handled: unknown[] = [];
      await bench.serve(
        { subject: "t.json", handler: ({ body }) => (handled.push(body), ok(body)) },
        { ...silentLogger, info: (fields) => void lines.push(fields) },
      );
      const bad = [
        "{",
        "nope",
        "\uFEFF{}",
        Uint8Array.of(0x22, 0xff, 0x22),
        "[".repeat(30_000),
        '{"a": "\u0000"}',
      ];
      for (const payload of bad)
        expect(await bench.callRaw("t.json", payload)).toMatchObject({
          body: { error: { code: "bad_request", status: 400 } },
        });
      expect(handled).toEqual([]);
      expect(lines.filter((line) => "code" in line && line.code === "bad_request")).toHaveLength(bad.length);
      expect((await bench.callRaw("t.json", "")).body).toEqual({});
      expect((await bench.callRaw("t.json", '{"__proto__": {"a": 1}}')).body).not.toHaveProperty("a");
    });

    it("survives headers that are garbage", async () => {
      await bench.serve({ subject: "t.headers", handler: () => ok("fine") });
      const { port } = new URL(bench.server.url);
      const socket = createConnection(Number(port), "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      let received = "";
      socket.setEncoding("latin1").on("data", (text: string) => (received += text));
      const header = "NATS/1.0\r\n\u0001bad name: x\r\ntraceparent: 00-zz\r\nbaggage: =;=,\r\n\r\n";
      socket.write(
        `CONNECT {"headers":true,"verbose":false}\r\nSUB inbox.x 1\r\n` +
          `HPUB t.headers inbox.x ${header.length} ${header.length + 2}\r\n${header}{}\r\n`,
      );
      await eventually("a reply", () => received.includes('"fine"'));
      expect(await bench.call("t.headers")).toMatchObject({ ok: true });
    });

    it("turns an exception into an internal error that leaks nothing and can be looked up", async () => {
      const errors: { err?: Error; traceId?: string }[] = [];
      await bench.serve(
        {
          subject: "t.bug",
          handler: ({ body }) => {
            if ((body as { how?: string }).how === "big") return ok({ n: 1n });
            throw new Error("the secret", { cause: new Error("root") });
          },
        },
        { ...silentLogger, error: (fields) => void errors.push(fields) },
      );
      for (const how of ["throws", "big"]) {
        const result = await bench.call("t.bug", { how });
        expect(result).toMatchObject({
          ok: false,
          problem: { code: "internal", status: 500, traceId: errors.at(-1)?.traceId },
        });
        expect(JSON.stringify(result)).not.toContain("secret");
      }
      expect(errors[0]?.err).toMatchObject({ message: "the secret", cause: { message: "root" } });
      expect(errors[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
    });

    it("says at once that nobody answers", async () => {
      const since = performance.now();
      expect(await bench.call("t.nobody")).toMatchObject({
        ok: false,
        problem: { code: "no_responders", status: 503 },
      });
      expect(performance.now() - since).toBeLessThan(WAIT_MS / 5);
    });

    it("says that no answer came in time", async () => {
      const { passed, open } = gate();
      await bench.serve({ subject: "t.never", handler: () => passed.then(() => ok(null)) });
      expect(await bench.call("t.never", {}, 50)).toMatchObject({
        ok: false,
        problem: { code: "timeout", status: 504 },
      });
      open();
    });

    it("says before it sends that a request is too large, and instead of a reply that this is", async () => {
      let handled = 0;
      await bench.serve({
        subject: "t.size",
        handler: ({ body }) => ok({ handled: ++handled, text: "x".repeat((body as { n: number }).n) }),
      });
      expect(await bench.call("t.size", { text: "x".repeat(MAX_PAYLOAD) })).toMatchObject({
        ok: false,
        problem: { code: "too_large", message: expect.stringContaining("Nothing was sent") },
      });
      expect(handled).toBe(0);
      expect(await bench.call("t.size", { n: MAX_PAYLOAD })).toMatchObject({
        ok: false,
        problem: { code: "too_large", status: 413, message: expect.stringContaining("max_payload") },
      });
      expect(await bench.call("t.size", { n: MAX_PAYLOAD - 300 })).toMatchObject({ ok: true });
    });

    it("sends to no subject that is not exactly one", async () => {
      for (const subject of ["", "a b", "a.*", "a.>", "a..b", ".a", "a.", "a\r\nPUB x 0\r\n\r\n", "a\u0000"])
        expect(await bench.call(subject)).toMatchObject({ ok: false, problem: { code: "bad_request" } });
    });

    it("says that the server does not permit the subject", async () => {
      const few = await bench.connect({ user: "few" });
      onTestFinished(() => few.close());
      const since = performance.now();
      expect(
        await few.request({ subject: "t.secret.a", template: "t.any", body: {}, timeoutMs: WAIT_MS }),
      ).toMatchObject({
        ok: false,
        problem: { code: "bad_request", message: "NATS does not permit this user to send to t.secret.a." },
      });
      expect(performance.now() - since).toBeLessThan(WAIT_MS / 5);
    });

    it("does not start to serve where the server does not permit it", async () => {
      const few = await bench.connect({ user: "few" });
      onTestFinished(() => few.close());
      await expect(few.serve(serviceOf({ subject: "t.closed", handler: () => ok(1) }))).rejects.toThrow(
        "NATS does not permit a-service to listen on t.closed.",
      );
    });

    it("does not handle what has no reply subject, or one of our own", async () => {
      const handled: unknown[] = [];
      await bench.serve({ subject: "t.oneway", handler: ({ body }) => (handled.push(body), ok(1)) });
      const overheard: unknown[] = [];
      bench.raw.subscribe("t.log.>", { callback: (_, message) => overheard.push(message.data) });
      bench.raw.publish("t.oneway", '"no reply"');
      bench.raw.publish("t.oneway", '"into the log"', { reply: "t.log.now.active.production.a" });
      bench.raw.publish("t.oneway", '"to the server"', { reply: "$JS.API.STREAM.PURGE.PROMPTS" });
      // The service protocol answers to whom it is asked by, but never into the log either.
      for (const verb of ["PING", "INFO", "STATS"])
        bench.raw.publish(`$SRV.${verb}`, "", { reply: "t.log.now.seed.evil" });
      expect(await bench.callRaw("t.oneway", '"asked"')).toMatchObject({ body: 1 });
      expect(handled).toEqual(["asked"]);
      expect(overheard).toEqual([]);
    });
  });
