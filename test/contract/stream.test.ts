import { StreamMismatchError, type Bus } from "@incipit/bus";
import { createSubjects, type Subjects } from "@incipit/events";
import { connect } from "nats";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { apiCall, openBus, publishRaw } from "../support/log-adapters.ts";
import { fill } from "../support/log-messages.ts";
import { natsKinds, startTestServer, type TestServer } from "../support/nats-servers.ts";

let count = 0;

for (const { name, bin } of await natsKinds())
  describe.skipIf(bin === null)(`the stream on ${name}`, () => {
    let server: TestServer;
    let bus: Bus;
    let stream: string;
    let subjects: Subjects;
    beforeAll(async () => {
      server = await startTestServer(bin as string);
      bus = await openBus(server.url);
    });
    afterAll(async () => {
      await bus.close();
      await server.dispose();
    });
    beforeEach(() => {
      stream = `S${++count}`;
      subjects = createSubjects(`s${count}`);
    });
    const config = async () => (await apiCall(server.port, `STREAM.INFO.${stream}`, {}))["config"];

    test("is made as strict as the log needs, and left alone the second time", async () => {
      expect(await bus.ensureStream({ stream, subjects, replicas: 1 })).toMatchObject({
        created: true,
        lastSeq: 0,
      });
      expect(await config()).toMatchObject({
        subjects: [`${subjects.prefix}.log.>`],
        storage: "file",
        retention: "limits",
        discard: "new",
        max_msgs: -1,
        max_bytes: -1,
        max_age: 0,
        deny_delete: true,
        deny_purge: true,
        allow_direct: true,
        duplicate_window: 120_000_000_000,
        republish: { src: `${subjects.prefix}.log.>`, dest: `${subjects.prefix}.live.>` },
      });
      await fill(bus.log({ stream, subjects }), [subjects.logVersion("a", 1)]);
      expect(await bus.ensureStream({ stream, subjects, replicas: 1 })).toMatchObject({
        created: false,
        lastSeq: 1,
      });
    });

    test("is made once by many processes that start together", async () => {
      const buses = await Promise.all(Array.from({ length: 8 }, () => openBus(server.url)));
      const states = await Promise.all(
        buses.map((each) => each.ensureStream({ stream, subjects, replicas: 1 })),
      );
      expect(states.some(({ created }) => created)).toBe(true);
      expect(new Set(states.map(({ createdAt }) => createdAt)).size).toBe(1);
      await Promise.all(buses.map((each) => each.close()));
    });

    test("of a weaker configuration is refused with every difference, and left as it is", async () => {
      const weak = {
        name: stream,
        subjects: [subjects.logAll],
        storage: "memory",
        max_msgs: 10,
        discard: "old",
      };
      await apiCall(server.port, `STREAM.CREATE.${stream}`, weak);
      const before = await config();
      const refusal: unknown = await bus
        .ensureStream({ stream, subjects, replicas: 1 })
        .catch((error) => error);
      if (!(refusal instanceof StreamMismatchError))
        throw new Error("it was not refused", { cause: refusal });
      expect(refusal.differences.map(({ setting }) => setting).toSorted()).toEqual(
        [
          "allow_direct",
          "deny_delete",
          "deny_purge",
          "discard",
          "max_msgs",
          "republish",
          "storage",
        ].toSorted(),
      );
      expect(refusal.message).toContain('storage: expected "file", found "memory"');
      expect(await config()).toEqual(before);
    });

    test("lets nobody delete or purge a message, or weaken it afterwards", async () => {
      await bus.ensureStream({ stream, subjects, replicas: 1 });
      await fill(bus.log({ stream, subjects }), [subjects.logVersion("a", 1)]);
      const changed = { ...((await config()) as object), deny_delete: false, deny_purge: false };
      for (const [call, request] of [
        [`STREAM.MSG.DELETE.${stream}`, { seq: 1 }],
        [`STREAM.MSG.DELETE.${stream}`, { seq: 1, no_erase: true }],
        [`STREAM.PURGE.${stream}`, {}],
        [`STREAM.UPDATE.${stream}`, changed],
      ] as const)
        expect([call, await apiCall(server.port, call, request)]).toMatchObject([call, { error: {} }]);
      await publishRaw(server.port, subjects.logVersion("a", 1), "x", ["Nats-Rollup: all"]);
      const log = bus.log({ stream, subjects });
      expect((await log.info()).lastSeq).toBe(1);
      expect(await log.get(1)).not.toBeNull();
    });

    test("republishes what it stored, and says from where", async () => {
      await bus.ensureStream({ stream, subjects, replicas: 1 });
      const raw = await connect({ servers: server.url });
      try {
        const live = raw.subscribe(subjects.liveAll, { max: 2 });
        await raw.flush();
        const stored = [subjects.logVersion("a", 1), subjects.logActive("a", "production")];
        await fill(bus.log({ stream, subjects }), stored);
        const heard: unknown[] = [];
        for await (const { subject, headers } of live)
          heard.push([subject, headers?.last("Nats-Subject"), headers?.last("Nats-Sequence")]);
        expect(heard).toEqual(
          stored.map((subject, at) => [subjects.liveOf(subject), subject, String(at + 1)]),
        );
      } finally {
        await raw.close();
      }
    });
  });
