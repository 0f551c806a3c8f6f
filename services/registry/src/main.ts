import { connectBus, createSignatureCheck, createSigner, nodePrimitives } from "@incipit/bus";
import { createSubjects } from "@incipit/events";
import {
  ConfigError,
  createLogger,
  loadConfig,
  NATS_SETTINGS,
  natsLogin,
  runProcess,
  SETTINGS,
  startHealthServer,
  startTelemetry,
} from "@incipit/runtime";
import { readFileSync } from "node:fs";
import { newId } from "./new-id.ts";
import { readStates } from "./renderers.ts";
import { startRegistry, type Registry } from "./service.ts";

const SERVICE_NAME = "incipit-registry";
/** How long a registry that starts before its server keeps trying, in milliseconds. */
const FIRST_CONNECT_MS = 30_000;

const config = loadConfig(process.env, {
  ...NATS_SETTINGS,
  INCIPIT_PREFIX: SETTINGS.INCIPIT_PREFIX,
  INCIPIT_STREAM: SETTINGS.INCIPIT_STREAM,
  INCIPIT_REPLICAS: SETTINGS.INCIPIT_REPLICAS,
  INCIPIT_DB: SETTINGS.INCIPIT_DB,
  INCIPIT_SEEDS: SETTINGS.INCIPIT_SEEDS,
  INCIPIT_SIGNING_SEED: SETTINGS.INCIPIT_SIGNING_SEED,
  INCIPIT_VERIFY_KEYS: SETTINGS.INCIPIT_VERIFY_KEYS,
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
    const signatures = readSignatures();
    const instanceId = newId();
    const telemetry = await startTelemetry({
      service: SERVICE_NAME,
      version,
      instance: instanceId,
      env: process.env,
      logger,
    });
    let registry: Registry | null = null;
    const health =
      config.INCIPIT_HEALTH_PORT === null
        ? null
        : await startHealthServer({
            port: config.INCIPIT_HEALTH_PORT,
            ready: () => registry?.readiness() ?? { ready: false, detail: "catching up" },
          });
    const bus = await connectBus({
      ...natsLogin(config),
      name: SERVICE_NAME,
      firstConnectMs: FIRST_CONNECT_MS,
      logger,
    });
    bus.onState((state) => {
      if (state === "closed") fail(new Error("the connection to NATS was closed for good"));
    });
    for (const warning of bus.serverWarnings) logger.warn({ server: bus.serverVersion }, warning);

    const subjects = createSubjects(config.INCIPIT_PREFIX);
    const stream = config.INCIPIT_STREAM;
    await bus.ensureStream({ stream, subjects, replicas: config.INCIPIT_REPLICAS });
    let instance = instanceId;
    const running = await startRegistry(
      {
        log: bus.log({ stream, subjects }),
        subjects,
        primitives: nodePrimitives,
        logger,
        newId,
        now: () => new Date().toISOString(),
        ...signatures,
        askRenderers: async (options) =>
          readStates(await bus.askStats("incipit-renderer", options), subjects.renderAll),
        server: () => ({ version: bus.serverVersion, warnings: bus.serverWarnings }),
        instance: () => instance,
      },
      { db: config.INCIPIT_DB, seeds: config.INCIPIT_SEEDS, verifyKeys: config.INCIPIT_VERIFY_KEYS },
      signal,
    );
    const server = await bus.serve({
      name: SERVICE_NAME,
      version,
      description: "Decides on commands and answers queries about prompt templates.",
      queue: SERVICE_NAME,
      endpoints: running.endpoints,
      stats: () => running.readiness().detail,
    });
    instance = server.instance;
    registry = running;
    logger.info({ instance, ...running.readiness().detail }, "the registry is ready");
    return {
      async stop() {
        const stopped = server.stop();
        running.endWaits();
        await stopped;
        await running.stop();
        await bus.close();
        await health?.close();
        await telemetry.shutdown();
      },
    };
  },
});

/** The signing key and the keys to verify with; it is a fault if this registry would reject what it appends itself. */
function readSignatures() {
  const seed = config.INCIPIT_SIGNING_SEED;
  const keys = config.INCIPIT_VERIFY_KEYS;
  const sign = seed === null ? undefined : createSigner(seed);
  const checkSignature = keys.length === 0 ? undefined : createSignatureCheck(keys);
  const sample = "0".repeat(64);
  const fault = checkSignature?.(sample, sign?.(sample)) ?? null;
  if (fault !== null)
    throw new ConfigError([
      {
        variable: "INCIPIT_SIGNING_SEED",
        fault:
          "is no key that INCIPIT_VERIFY_KEYS accepts, so that what this registry appends would be rejected",
        expected: "the seed of one of the public keys in INCIPIT_VERIFY_KEYS",
      },
    ]);
  return { ...(sign && { sign }), ...(checkSignature && { checkSignature }) };
}
