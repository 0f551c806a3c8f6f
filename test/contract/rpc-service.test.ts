import { connectBus, silentLogger } from "@incipit/bus";
import { ok, refuse } from "@incipit/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { natsKinds, startTestServer } from "../support/nats-servers.ts";
import { gate, serviceOf, startRpcBench, WAIT_MS, type RpcBench } from "../support/rpc.ts";

for (const { name, bin } of await natsKinds())
  describe.skipIf(bin === null)(`a service over ${name}`, () => {
    let bench: RpcBench;
    beforeAll(async () => {
      bench = await startRpcBench(bin ?? "");
    });
    afterAll(() => bench?.dispose());

    it("tells of itself over NATS's service protocol", async () => {
      const { instance } = await bench.serve({
        subject: "t.stats.*",
        handler: ({ subject }) => (subject.endsWith("bad") ? refuse("bad_key", "Not a key.") : ok(1)),
      });
      await bench.call("t.stats.good");
      await bench.call("t.stats.bad");
      const identity = { name: "a-service", id: instance, version: "1.2.3", metadata: {} };
      const ask = async (subject: string) => (await bench.callRaw(subject, "")).body;
      for (const suffix of ["", ".a-service", `.a-service.${instance}`])
        expect(await ask(`$SRV.PING${suffix}`)).toEqual({
          type: "io.nats.micro.v1.ping_response",
          ...identity,
        });
      expect(await ask("$SRV.INFO.a-service")).toEqual({
        type: "io.nats.micro.v1.info_response",
        ...identity,
        description: "for tests",
        endpoints: [
          { name: "endpoint", subject: "t.stats.*", queue_group: "q", metadata: { template: "t.any" } },
        ],
      });
      const stats = await ask(`$SRV.STATS.a-service.${instance}`);
      expect(stats).toMatchObject({
        type: "io.nats.micro.v1.stats_response",
        ...identity,
        started: expect.stringMatching(/^\d{4}-.*Z$/),
        endpoints: [{ num_requests: 2, num_errors: 1, last_error: "400:Not a key." }],
      });
      // The client library knows the protocol too, and finds us.
      const found = [];
      for await (const each of await bench.raw.services.client().stats("a-service", instance))
        found.push(each);
      expect(found).toMatchObject([{ id: instance, endpoints: [{ num_requests: 2 }] }]);
    });

    it("shares the work between instances, and loses no request when one after the other leaves", async () => {
      const answered = new Map<string, number>();
      const start = async () => {
        const bus = await bench.connect();
        const running = await bus.serve(
          serviceOf({
            subject: "t.shared",
            // A turn of the loop, so that there is always something in flight.
            handler: () => new Promise((resolve) => setImmediate(() => resolve(ok(1)))),
          }),
        );
        return { instance: running.instance, stop: () => running.stop().then(() => bus.close()) };
      };
      const load = { goes: true };
      const failures: unknown[] = [];
      async function ask() {
        while (load.goes) {
          const result = await bench.call("t.shared");
          if (!result.ok) failures.push(result.problem);
          else
            answered.set(result.value.instance ?? "", (answered.get(result.value.instance ?? "") ?? 0) + 1);
        }
      }
      const instances = [await start(), await start()];
      const loads = Array.from({ length: 20 }, ask);
      const allWork = () =>
        Promise.all(
          instances.map(({ instance }) =>
            eventually(`${instance} answers`, () => (answered.get(instance) ?? 0) >= 20),
          ),
        );
      for (let i = 0; i < 5; i++) {
        await allWork();
        await instances.shift()?.stop();
        instances.push(await start());
      }
      await allWork();
      load.goes = false;
      await Promise.all(loads);
      await Promise.all(instances.map(({ stop }) => stop()));
      expect(failures).toEqual([]);
      expect(answered.size).toBe(7);
      expect(await bench.call("t.shared")).toMatchObject({ ok: false, problem: { code: "no_responders" } });
    });

    it("finishes what is in flight before it has stopped, however often it is told to", async () => {
      const { passed, open } = gate();
      const begun = gate();
      const bus = await bench.connect();
      const running = await bus.serve(
        serviceOf({
          subject: "t.flight",
          handler: async () => {
            begun.open();
            await passed;
            return ok("done");
          },
        }),
      );
      const answer = bench.call("t.flight");
      await begun.passed;
      let stopped = false;
      const stops = Promise.all([running.stop(), running.stop()]).then(() => (stopped = true));
      await eventually("nobody answers", async () => {
        const result = await bench.call("t.flight", {}, 100);
        return !result.ok && result.problem.code === "no_responders";
      });
      expect(stopped).toBe(false);
      open();
      await stops;
      expect(await answer).toMatchObject({ ok: true, value: { body: "done" } });
      await bus.close();
    });

    it("is unavailable soon without a connection, and sends nothing late", async () => {
      const other = await startTestServer(bin ?? "");
      const bus = await connectBus({ servers: other.url, name: "lonely", logger: silentLogger });
      try {
        const { passed, open } = gate();
        const handled: unknown[] = [];
        const begun = gate();
        const running = await bus.serve(
          serviceOf({
            subject: "t.lost",
            handler: async ({ body }) => {
              handled.push(body);
              begun.open();
              await passed;
              return ok(1);
            },
          }),
        );
        const ask = (body: string) =>
          bus.request({ subject: "t.lost", template: "t.lost", body, timeoutMs: WAIT_MS });
        const waiting = ask("in flight");
        await begun.passed;
        await other.kill();
        expect(await waiting).toMatchObject({
          ok: false,
          problem: { code: "unavailable", message: expect.stringContaining("before the reply came") },
        });
        const since = performance.now();
        expect(await ask("while down")).toMatchObject({
          ok: false,
          problem: { code: "unavailable", message: expect.stringContaining("Nothing was sent") },
        });
        expect(performance.now() - since).toBeLessThan(WAIT_MS / 2);
        open();

        await other.restart();
        await eventually("it is back", () => bus.isConnected());
        expect(await ask("back")).toMatchObject({ ok: true });
        expect(handled).toEqual(["in flight", "back"]);
        await other.kill();
        await eventually("it is gone", () => !bus.isConnected());
        await running.stop();
      } finally {
        await bus.close();
        await other.dispose();
      }
      expect(
        await bus.request({ subject: "t.lost", template: "t.lost", body: {}, timeoutMs: WAIT_MS }),
      ).toMatchObject({ ok: false, problem: { code: "unavailable" } });
    });
  });
