import {
  createMemoryLog,
  silentLogger,
  type EventLog,
  type Logger,
  type MemoryLogControls,
} from "@incipit/bus";
import type { RenderPayload, RenderReply, Result } from "@incipit/schema";
import { createRenderer, type Renderer } from "../src/service.ts";
import { admit, createLogAuthor, type LogAuthor } from "./log-writer.ts";

/** Every question to the log since the renderer is ready, as it was asked. */
export type Spy = { asked: string[]; before: (question: string) => Promise<void> };

/** A log that tells what it was asked for, and lets a test hold the answer back. */
function spied(log: EventLog): { log: EventLog; spy: Spy } {
  const spy: Spy = { asked: [], before: async () => {} };
  const ask = async (question: string) => {
    spy.asked.push(question);
    await spy.before(question);
  };
  return {
    spy,
    log: {
      ...log,
      async info() {
        await ask("info");
        return log.info();
      },
      async get(seq) {
        await ask(`get ${seq}`);
        return log.get(seq);
      },
      async last(subject, options) {
        await ask(`last ${subject}`);
        return log.last(subject, options);
      },
    },
  };
}

/** A renderer over a log in memory, with all that a test wants to do to it. */
export type Rig = {
  controls: MemoryLogControls;
  spy: Spy;
  author: LogAuthor;
  renderer: Renderer;
  /** Starts a further renderer on the same log. */
  start: (options?: { cacheBytes?: number; logger?: Logger }) => Promise<Renderer>;
  render: (key: string, payload?: RenderPayload) => Promise<Result<RenderReply>>;
  /** The text, or the code of the refusal. */
  text: (key: string, payload?: RenderPayload) => Promise<string>;
};

/** Builds one; `prepare` writes what is on the log before the renderer starts. */
export async function createRig(
  prepare: (author: LogAuthor, controls: MemoryLogControls) => Promise<unknown>,
  options: { cacheBytes?: number; logger?: Logger } = {},
): Promise<Rig> {
  const { log: memory, controls } = createMemoryLog();
  const { log, spy } = spied(memory);
  const author = createLogAuthor(memory);
  await prepare(author, controls);
  const start: Rig["start"] = ({ cacheBytes = 1 << 20, logger = silentLogger } = {}) =>
    createRenderer({
      log,
      admit,
      serve: async () => ({ instance: "one", stop: async () => {} }),
      cacheBytes,
      version: "0.0.0",
      logger,
    });
  const renderer = await start(options);
  spy.asked.length = 0;
  const render: Rig["render"] = (key, payload = {}) =>
    renderer.render(admit.subjects.render(key), JSON.parse(JSON.stringify(payload)));
  return {
    controls,
    spy,
    author,
    renderer,
    start,
    render,
    async text(key, payload) {
      const result = await render(key, payload);
      return result.ok ? result.value.text : result.problem.code;
    },
  };
}

/** Waits, turn by turn, for a condition; the test's own time limit ends it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
