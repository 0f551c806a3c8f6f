import { RequestStrategy } from "nats";
import { z } from "zod";
import type { Connection } from "./connection.ts";

/** A running instance of a service, as it announces itself. */
export type ServiceInstance = { name: string; id: string; version: string };

/** How long to listen. */
export type DiscoverOptions = {
  /** Milliseconds to wait for answers. */
  waitMs: number;
  /** Stop waiting as soon as so many have answered. */
  expected?: number;
};

const pingSchema = z.object({ name: z.string(), id: z.string(), version: z.string() });

/**
 * The instances of a service that answer NATS's service protocol (`$SRV.PING.<name>`). Who does not answer in time is
 * not among them; nobody there is an empty list. Throws while there is no connection.
 */
export async function discover(
  { nats }: Pick<Connection, "nats">,
  service: string,
  { waitMs, expected = Infinity }: DiscoverOptions,
): Promise<ServiceInstance[]> {
  const found = new Map<string, ServiceInstance>();
  const answers = await nats.requestMany(`$SRV.PING.${service}`, "", {
    strategy: RequestStrategy.Timer,
    maxWait: waitMs,
    noMux: true,
  });
  try {
    for await (const answer of answers) {
      const instance = readPing(answer.data);
      if (instance !== null) found.set(instance.id, instance);
      if (found.size >= expected) break;
    }
  } catch (error) {
    // Nobody listens: that is an answer too.
    if (!(error instanceof Error && "code" in error && error.code === "503")) throw error;
  }
  return [...found.values()];
}

function readPing(data: Uint8Array): ServiceInstance | null {
  try {
    const parsed = pingSchema.safeParse(JSON.parse(new TextDecoder().decode(data)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
