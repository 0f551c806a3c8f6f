const ADVICE = "use 2.12.12, or 2.14.3 or newer";

/**
 * What is known to be unsafe for a log about a nats-server, in sentences for a person; empty where nothing is.
 * Pure. `version` as the server says it: `2.9.10`, `2.14.0-RC.1`.
 */
export function serverWarnings(version: string): string[] {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (!match)
    return [`The server's version ${JSON.stringify(version)} cannot be read: it may be unsafe; ${ADVICE}.`];
  const at = match.slice(1).map(Number) as [number, number, number];
  const warnings: string[] = [];
  if (isBefore(at, [2, 10, 0]))
    warnings.push(
      `nats-server ${version} does not know "sync_interval: always": an acknowledged event can be lost at power failure.`,
    );
  if (isBefore(at, [2, 12, 12]) || (!isBefore(at, [2, 14, 0]) && isBefore(at, [2, 14, 3])))
    warnings.push(
      `nats-server ${version} has known faults that can lose or corrupt stored messages: ${ADVICE}.`,
    );
  return warnings;
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}
