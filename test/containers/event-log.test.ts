import { fileURLToPath } from "node:url";
import { GenericContainer, Wait } from "testcontainers";
import { describe } from "vitest";
import { jetStreamAdapter, type LogServer } from "../support/log-adapters.ts";
import { logContract } from "../support/log-contract.ts";
import { engineAnswers } from "./engine.ts";

const IMAGE = "nats:2.14-alpine";
const CLIENTS = 4222;
const CONFIG = fileURLToPath(new URL("../../deploy/nats/nats-server.conf", import.meta.url));

// The reaper is one more image to pull, and these tests remove what they start.
process.env["TESTCONTAINERS_RYUK_DISABLED"] = "true";

/** Starts the public image with the configuration that is shipped; pulls it only where the engine has none. */
async function startContainer(): Promise<LogServer> {
  const container = await new GenericContainer(IMAGE)
    .withCopyFilesToContainer([{ source: CONFIG, target: "/etc/nats/nats-server.conf" }])
    .withExposedPorts(CLIENTS)
    .withWaitStrategy(Wait.forLogMessage("Server is ready"))
    .start();
  const port = container.getMappedPort(CLIENTS);
  return {
    url: `nats://${container.getHost()}:${port}`,
    port,
    dispose: async () => void (await container.stop({ timeout: 0, removeVolumes: true })),
  };
}

describe.skipIf(!engineAnswers("the log's contract in a container"))(
  `the log JetStream in a container of ${IMAGE}`,
  () => {
    logContract(jetStreamAdapter("a container", startContainer));
  },
);
