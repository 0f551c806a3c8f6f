import { createClient } from "@incipit/client";
import type { Io } from "../io.ts";

/** What the registry knows to be unsafe about its server, in sentences; none where it cannot be asked just now. */
export async function readWarnings(io: Pick<Io, "env">, url: string): Promise<string[]> {
  const { INCIPIT_PREFIX: prefix } = io.env;
  try {
    const client = await createClient({
      servers: url,
      name: "incipit-up",
      ...(prefix !== undefined && { prefix }),
    });
    try {
      const status = await client.status();
      return status.ok ? status.value.server.warnings : [];
    } finally {
      await client.close();
    }
  } catch {
    // What has just become ready has ended again, which `up` is told otherwise.
    return [];
  }
}
