import { ConfigError } from "./config-error.ts";
import { within } from "./deadline.ts";
import { EXIT } from "./exit.ts";
import type { Logger } from "./logger.ts";

/** A started service. */
export type Running = {
  /** Takes no new work, finishes what is in flight, and leaves. */
  stop: () => Promise<void>;
};

/** What a starting service is given. */
export type StartContext = {
  /** Aborts when the process has been told to stop while it starts; a start that waits should give up then. */
  signal: AbortSignal;
  /** Says that the service cannot go on: logged as fatal, what runs is stopped, and the process exits with 1. */
  fail: (error: unknown) => void;
};

/** What `runProcess` runs. */
export type ProcessOptions = {
  name: string;
  logger: Logger;
  start: (context: StartContext) => Promise<Running>;
  /** Milliseconds a stop may take. Default 10,000: orchestrators kill after 10 (Docker) to 30 (Kubernetes) seconds. */
  timeoutMs?: number;
};

/**
 * Runs a service for the life of the process, and ends the process:
 * SIGTERM and SIGINT stop it (also while it starts) and exit 0, or 1 if that takes too long; a second signal exits 1 at
 * once; an unhandled rejection, an uncaught exception or a failed start exits 1 with a fatal line; a `ConfigError` is
 * printed on standard error and exits 2. Resolves once the service has started, or has failed to and is leaving.
 */
export async function runProcess({ name, logger, start, timeoutMs = 10_000 }: ProcessOptions): Promise<void> {
  const abort = new AbortController();
  let ending = false;

  const crash = (err: unknown, message: string) => {
    report(err, message);
    process.exit(exitCode(err));
  };
  const report = (err: unknown, message: string) => {
    if (err instanceof ConfigError) process.stderr.write(`${err.message}\n`);
    else logger.fatal({ err }, message);
  };

  process.on("uncaughtException", (err) => crash(err, `${name} met an uncaught exception`));
  process.on("unhandledRejection", (err) => crash(err, `${name} met an unhandled rejection`));

  async function end(code: number): Promise<void> {
    const since = performance.now();
    const elapsed = () => ({ ms: Math.round(performance.now() - since) });
    try {
      if (await within(timeoutMs, stopped())) {
        logger.info(elapsed(), `${name} has stopped`);
        process.exit(code);
      }
      logger.fatal(elapsed(), `${name} did not stop in time; what was in flight is lost`);
    } catch (err) {
      logger.fatal({ err, ...elapsed() }, `${name} failed while stopping`);
    }
    process.exit(EXIT.failed);
  }

  async function stopped(): Promise<void> {
    // A start that gives up because it was told to has nothing to stop.
    const running = await started.catch((err: unknown) => {
      logger.info({ err }, `${name} was told to stop before it had started`);
    });
    await running?.stop();
  }

  function onSignal(signal: NodeJS.Signals) {
    if (ending) {
      logger.fatal({ signal }, `${name} was told to stop again and exits at once`);
      process.exit(EXIT.failed);
    }
    ending = true;
    logger.info({ signal }, `${name} is stopping`);
    abort.abort();
    void end(EXIT.ok);
  }
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);

  function fail(err: unknown) {
    if (ending) return;
    ending = true;
    report(err, `${name} cannot go on`);
    abort.abort();
    void end(exitCode(err));
  }

  // Deferred by a turn, so that nothing `start` does happens before `started` exists.
  const started = Promise.resolve().then(() => start({ signal: abort.signal, fail }));
  try {
    await started;
  } catch (err) {
    // Otherwise the start was told to give up, and `end` sees to the rest.
    if (!ending) crash(err, `${name} could not start`);
  }
}

const exitCode = (err: unknown) => (err instanceof ConfigError ? EXIT.config : EXIT.failed);
