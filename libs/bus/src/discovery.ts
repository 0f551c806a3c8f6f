import { RequestStrategy } from "nats";
import { z } from "zod";
import type { Connection } from "./connection.ts";

/** A running instance of a service, as it announces itself. */
export type ServiceInstance = { name: string; id: string; version: string };

/** The same with what it tells of its endpoints: where each listens, and what the service itself says of its state. */
export type ServiceStats = ServiceInstance & { endpoints: { subject: string; data: unknown }[] };

/** How long to listen. */
export type DiscoverOptions = {
  /** Milliseconds to wait for answers. */
  waitMs: number;
  /** Stop waiting as soon as so many have answered. */
  expected?: number;
};

const pingSchema = z.object({ name: z.string(), id: z.string(), version: z.string() });
const statsSchema = pingSchema.extend({
  endpoints: z.array(z.object({ subject: z.string(), data: z.unknown() })),
});

/**
 * The instances of a service that answer NATS's service protocol (`$SRV.PING.<name>`). Who does not answer in time is
 * not among them; nobody there is an empty list. Throws while there is no connection.
 */
export function discover(
  connection: Pick<Connection, "nats">,
  service: string,
  options: DiscoverOptions,
): Promise<ServiceInstance[]> {
  return ask(connection, `$SRV.PING.${service}`, pingSchema, options);
}

/** The same, each with its statistics (`$SRV.STATS.<name>`). */
export function askStats(
  connection: Pick<Connection, "nats">,
  service: string,
  options: DiscoverOptions,
): Promise<ServiceStats[]> {
  return ask(connection, `$SRV.STATS.${service}`, statsSchema, options);
}

async function ask<T extends { id: string }>(
  { nats }: Pick<Connection, "nats">,
  subject: string,
  schema: z.ZodType<T>,
  { waitMs, expected = Infinity }: DiscoverOptions,
): Promise<T[]> {
  const found = new Map<string, T>();
  const answers = await nats.requestMany(subject, "", {
    strategy: RequestStrategy.Timer,
    maxWait: waitMs,
    noMux: true,
  });
  try {
    for await (const answer of answers) {
      const instance = read(answer.data, schema);
      if (instance !== null) found.set(instance.id, instance);
      if (found.size >= expected) break;
    }
  } catch (error) {
    // Nobody listens: that is an answer too.
    if (!(error instanceof Error && "code" in error && error.code === "503")) throw error;
  }
  return [...found.values()];
}

function read<T>(data: Uint8Array, schema: z.ZodType<T>): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(new TextDecoder().decode(data)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
