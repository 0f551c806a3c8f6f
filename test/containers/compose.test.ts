import { unwrap, type Client } from "@incipit/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { askEverything, writeHistory } from "../support/history.ts";
import { deploy, type Deployment } from "./deployment.ts";
import { engineAnswers } from "./engine.ts";

const SERVICES = ["nats", "registry", "renderer"];
const exact = (version: number) => `This is version ${version}, for {{name}}.`;
const rendered = (version: number) => `This is version ${version}, for Ada.`;

describe.skipIf(!engineAnswers("docker-compose.yml brought up"))("docker-compose.yml", () => {
  let deployment: Deployment;
  let client: Client;

  beforeAll(async () => {
    deployment = await deploy();
    client = await deployment.connect("alice");
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") process.stdout.write(`${await deployment.lastWords()}\n`);
  });
  afterAll(() => deployment?.remove());

  /** Renders until `count` renderers have given that version, and gives their instances; anything else fails. */
  async function serving(version: number, minSeq: number, count = 2): Promise<Set<string | null>> {
    const instances = new Set<string | null>();
    await eventually(`${count} renderers serve version ${version}`, async () => {
      const reply = unwrap(await client.render("greeting", { context: { name: "Ada" }, minSeq }));
      expect(reply).toMatchObject({ text: rendered(version), version });
      instances.add(reply.instance);
      return instances.size >= count;
    });
    return instances;
  }

  it("runs nothing as root, with a capability or with a root file system that can be written", async () => {
    const containers = (await Promise.all(SERVICES.map(deployment.containers))).flat();
    expect(containers).toHaveLength(4);
    for (const { Config, HostConfig } of containers)
      expect({ ...Config, ...HostConfig }).toEqual({
        User: "10001:10001",
        ReadonlyRootfs: true,
        CapDrop: ["ALL"],
      });
  });

  it("serves what is added and activated, from both renderers", async () => {
    const { seq } = unwrap(await client.add("greeting", { body: exact(1), activate: true }));
    expect((await serving(1, seq)).size).toBe(2);
  });

  it("warns of nothing about its server", async () => {
    expect(unwrap(await client.status()).server).toMatchObject({ warnings: [] });
  });

  it("fails no request when a renderer is killed under load, and has it back with what it missed", async () => {
    const agents = await Promise.all(Array.from({ length: 8 }, () => deployment.connect("agent")));
    const load = new AbortController();
    let answers = 0;
    async function renderOn(agent: Client) {
      while (!load.signal.aborted) {
        const options = { context: { name: "Ada" }, timeoutMs: 8_000 };
        const reply = unwrap(await agent.render("greeting@1", options));
        expect(reply).toMatchObject({ text: rendered(1), version: 1 });
        answers++;
      }
    }
    const answered = (count: number) => {
      const enough = answers + count;
      return eventually(`${count} more answers`, () => load.signal.aborted || answers >= enough);
    };
    async function killAndHaveBack() {
      await answered(200);
      const before = await serving(1, 0);
      const killed = await deployment.crash("renderer");
      await answered(200);
      // Activated while one of the two is away, or just catching up.
      const { seq } = unwrap(await client.add("greeting", { body: exact(2), activate: true }));
      await serving(2, seq, 1);
      await deployment.isBack(killed);
      const survivors = [...(await serving(2, seq))].filter((instance) => before.has(instance));
      expect(survivors).toHaveLength(1);
    }
    const stopLoad = () => load.abort();
    await Promise.all([
      killAndHaveBack().finally(stopLoad),
      ...agents.map((agent) => renderOn(agent).finally(stopLoad)),
    ]);
  });

  it("gives the same answers to every query after the registry was killed", async () => {
    const seq = await writeHistory(client);
    const before = await askEverything(client, seq);
    await deployment.isBack(await deployment.crash("registry"));
    expect(await askEverything(client, seq)).toBe(before);
    const { version } = unwrap(await client.add("support/triage", { body: "after the crash" }));
    expect(version).toBe(8);
  });

  it("loses nothing when NATS is killed, and goes on by itself once it is back", async () => {
    const { version, seq } = unwrap(await client.add("greeting", { body: exact(3), activate: true }));
    expect(version).toBe(3);
    await deployment.isBack(await deployment.crash("nats"));
    expect(unwrap(await client.status()).seq).toBe(seq);
    expect((await serving(3, seq)).size).toBe(2);
    const next = unwrap(await client.add("greeting", { body: exact(4), activate: true }));
    expect((await serving(4, next.seq)).size).toBe(2);
  });

  it("falls over where it was killed, and nowhere else", async () => {
    for (const service of SERVICES) {
      const restarts = (await deployment.containers(service)).map(({ RestartCount }) => RestartCount);
      expect({ service, restarts: restarts.reduce((sum, count) => sum + count, 0) }).toEqual({
        service,
        restarts: 1,
      });
    }
  });

  it("lets every service finish when it is stopped", async () => {
    await deployment.compose("stop", "registry", "renderer");
    const stopped = (await Promise.all(["registry", "renderer"].map(deployment.containers))).flat();
    expect(stopped).toHaveLength(3);
    for (const { State } of stopped) expect(State).toMatchObject({ Running: false, ExitCode: 0 });
  });

  it("leaves nothing behind once it is taken down", async () => {
    await deployment.remove();
    expect(await deployment.remains()).toEqual([]);
  });

  it("adds Jaeger under the profile `observability`, and only there", async () => {
    const services = async (...profile: string[]) =>
      (await deployment.compose(...profile, "config", "--services")).split("\n").toSorted();
    expect(await services()).toEqual(SERVICES);
    expect(await services("--profile", "observability")).toEqual(["jaeger", ...SERVICES]);
  });
});
