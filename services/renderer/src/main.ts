import { connectBus, createSignatureCheck, nodePrimitives } from "@incipit/bus";
import { createSubjects } from "@incipit/events";
import {
  createLogger,
  loadConfig,
  NATS_SETTINGS,
  natsLogin,
  runProcess,
  SETTINGS,
  startHealthServer,
  startTelemetry,
} from "@incipit/runtime";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { unlessAborted } from "./aborted.ts";
import { createRenderer, SERVICE_NAME, type Renderer } from "./service.ts";

/** How long a renderer that starts before its server keeps trying, in milliseconds. */
const FIRST_CONNECT_MS = 30_000;

const config = loadConfig(process.env, {
  ...NATS_SETTINGS,
  INCIPIT_PREFIX: SETTINGS.INCIPIT_PREFIX,
  INCIPIT_STREAM: SETTINGS.INCIPIT_STREAM,
  INCIPIT_VERIFY_KEYS: SETTINGS.INCIPIT_VERIFY_KEYS,
  INCIPIT_CACHE_BYTES: SETTINGS.INCIPIT_CACHE_BYTES,
  INCIPIT_HEALTH_PORT: SETTINGS.INCIPIT_HEALTH_PORT,
  LOG_LEVEL: SETTINGS.LOG_LEVEL,
});
const logger = createLogger({ service: SERVICE_NAME, level: config.LOG_LEVEL });
// The package's own manifest: its shape is part of the code.
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

await runProcess({
  name: SERVICE_NAME,
  logger,
  async start({ signal, fail }) {
    const telemetry = await startTelemetry({
      service: SERVICE_NAME,
      version,
      instance: randomUUID(),
      env: process.env,
      logger,
    });
    let renderer: Renderer | null = null;
    const health =
      config.INCIPIT_HEALTH_PORT === null
        ? null
        : await startHealthServer({
            port: config.INCIPIT_HEALTH_PORT,
            ready: () => ({ ready: renderer !== null, detail: renderer?.stats() ?? "catching up" }),
          });
    const connecting = connectBus({
      ...natsLogin(config),
      name: SERVICE_NAME,
      firstConnectMs: FIRST_CONNECT_MS,
      logger,
    });
    const bus = await unlessAborted(signal, connecting);
    bus.onState((state) => {
      if (state === "closed") fail(new Error("the connection to NATS was closed for good"));
    });
    const subjects = createSubjects(config.INCIPIT_PREFIX);
    const keys = config.INCIPIT_VERIFY_KEYS;
    const running = await createRenderer(
      {
        log: bus.log({ stream: config.INCIPIT_STREAM, subjects }),
        admit: {
          primitives: nodePrimitives,
          subjects,
          ...(keys.length > 0 && { checkSignature: createSignatureCheck(keys) }),
        },
        serve: bus.serve,
        cacheBytes: config.INCIPIT_CACHE_BYTES,
        version,
        logger,
      },
      signal,
    );
    renderer = running;
    running.failed.catch(fail);
    logger.info({ instance: running.instance, ...running.stats() }, "the renderer is ready");
    return {
      async stop() {
        await running.stop();
        await bus.close();
        await health?.close();
        await telemetry.shutdown();
      },
    };
  },
});
