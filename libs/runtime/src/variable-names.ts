import type { ConfigFault } from "./config-error.ts";
import { SETTINGS } from "./catalogue.ts";

/** Read by the command line and by tests, never by a service: the server's program, and who acts. */
const OTHER_NAMES = ["NATS_SERVER_BIN", "INCIPIT_ACTOR"];
const KNOWN_NAMES: readonly string[] = [...Object.keys(SETTINGS), ...OTHER_NAMES];

/**
 * Names of ours or of NATS's that no setting has: each with the nearest that exists. What Kubernetes and Docker put
 * into the environment for a service that is called `nats` or `incipit` is not meant for us, and passes.
 */
export function findUnknownNames(env: Readonly<Record<string, string | undefined>>): ConfigFault[] {
  return Object.entries(env)
    .filter(
      ([name, value]) =>
        /^(INCIPIT|NATS)_/i.test(name) &&
        value !== undefined &&
        value !== "" &&
        !KNOWN_NAMES.includes(name) &&
        !isServiceLink(name, value),
    )
    .map(([name]) => ({
      variable: name,
      fault: "is not a setting",
      expected: `${nearestName(name)}, perhaps; all settings: ${KNOWN_NAMES.join(" ")}`,
    }));
}

function isServiceLink(name: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$/.test(name) ||
    /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
    (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value))
  );
}

/** The setting whose name is nearest: one that the name ends with, else the least edits away. */
function nearestName(name: string): string {
  const upper = name.toUpperCase();
  const distances = KNOWN_NAMES.map((known) => ({
    known,
    distance: upper.endsWith(`_${known}`) ? 0 : editDistance(upper, known),
  }));
  return distances.reduce((best, next) => (next.distance < best.distance ? next : best)).known;
}

/** Levenshtein's distance: insertions, deletions and replacements. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
