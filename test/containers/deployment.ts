import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, type Client } from "@incipit/client";
import { eventually } from "../support/eventually.ts";
import { docker, inspect, type Container } from "./engine.ts";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Seconds that the containers get to become healthy once they are built. */
const HEALTHY_S = 120;
/** Milliseconds within which the engine starts a crashed container again and finds it healthy. */
const RESTART_MS = 60_000;

/** What docker-compose.yml describes, under a name, a port and images of its own. */
export type Deployment = {
  /** Runs `docker compose` on it and gives what it printed. */
  compose: (...args: string[]) => Promise<string>;
  /** The containers of a service, also those that have stopped. */
  containers: (service: string) => Promise<Container[]>;
  /**
   * Kills the process of a service's first container with SIGKILL from beside it, as the kernel does when memory runs
   * out, and gives the container as it was. `docker kill` would count as an order: the engine would leave it stopped.
   */
  crash: (service: string) => Promise<Container>;
  /** Waits until the engine has started a crashed container again, and finds it healthy. */
  isBack: (crashed: Container) => Promise<void>;
  /** A client through the published port, closed with the deployment. */
  connect: (actor: string) => Promise<Client>;
  /** The last lines that every container has printed, for whoever must find out what went wrong. */
  lastWords: () => Promise<string>;
  /** What of it the engine still has: containers, volumes, networks, images. */
  remains: () => Promise<string[]>;
  /** Removes everything, its data and images too. May be called again. */
  remove: () => Promise<void>;
};

/** Builds the images, brings docker-compose.yml up, and waits until every container is healthy. */
export async function deploy(): Promise<Deployment> {
  const project = `incipit-test-${randomBytes(4).toString("hex")}`;
  const images = { INCIPIT_IMAGE: `${project}:built`, INCIPIT_NATS_IMAGE: `${project}-nats:built` };
  const port = await freePort();
  const env = { ...process.env, ...images, INCIPIT_PORT: String(port) };
  /** Name of a container that sees the processes of the others. */
  const beside = `${project}-beside`;
  const clients: Client[] = [];

  const compose = (...args: string[]) => docker(["compose", "-p", project, ...args], { cwd: root, env });
  const containers = async (service: string) => {
    const ids = await compose("ps", "--all", "--quiet", service);
    return Promise.all(ids.split("\n").filter(Boolean).map(inspect));
  };

  const lastWords = () => compose("logs", "--no-color", "--tail", "30").catch(String);

  async function remains() {
    const ours = ["--quiet", "--filter", `label=com.docker.compose.project=${project}`];
    const found = await Promise.all([
      docker(["ps", "--all", ...ours]),
      docker(["ps", "--all", "--quiet", "--filter", `name=${project}`]),
      docker(["volume", "ls", ...ours]),
      docker(["network", "ls", ...ours]),
      ...Object.values(images).map((name) => docker(["images", "--quiet", name])),
    ]);
    return found.flatMap((ids) => ids.split("\n")).filter(Boolean);
  }

  async function remove() {
    await Promise.allSettled(clients.splice(0).map((client) => client.close()));
    // No matter if it never started.
    await docker(["rm", "--force", beside]).catch(() => {});
    await compose("down", "--volumes", "--remove-orphans", "--rmi", "all", "--timeout", "5");
  }

  try {
    await compose("up", "--build", "--detach", "--wait", "--wait-timeout", String(HEALTHY_S));
    const view = ["--pid", "host", "--network", "none", "--user", "10001:10001", "--no-healthcheck"];
    await docker(["run", "--detach", "--name", beside, ...view, images.INCIPIT_IMAGE, "sleep", "infinity"]);
  } catch (error) {
    const words = await lastWords();
    await remove();
    throw new Error(`docker-compose.yml did not come up; its containers' last words:\n${words}`, {
      cause: error,
    });
  }

  return {
    compose,
    containers,
    async crash(service) {
      const [container] = await containers(service);
      if (container === undefined) throw new Error(`${project} has no ${service}`);
      await docker(["exec", beside, "node", "-e", `process.kill(${container.State.Pid}, "SIGKILL")`]);
      return container;
    },
    isBack: (crashed) =>
      eventually(
        `${crashed.Name} is started again and healthy`,
        async () => {
          const { State } = await inspect(crashed.Id);
          return State.StartedAt !== crashed.State.StartedAt && State.Health?.Status === "healthy";
        },
        RESTART_MS,
      ),
    async connect(actor) {
      const servers = `nats://127.0.0.1:${port}`;
      const client = await createClient({ servers, actor, timeoutMs: 20_000, retryNoResponders: true });
      clients.push(client);
      return client;
    },
    lastWords,
    remains,
    remove,
  };
}

/** A port that was free a moment ago. One that the engine chose would change when NATS is started again. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
