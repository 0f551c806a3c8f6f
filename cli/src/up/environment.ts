/** Settings of ours that a person may give to `up` and that its services are to have; the rest `up` decides itself. */
const HANDED_ON: ReadonlySet<string> = new Set([
  "INCIPIT_PREFIX",
  "INCIPIT_STREAM",
  "INCIPIT_SEEDS",
  "INCIPIT_SIGNING_SEED",
  "INCIPIT_VERIFY_KEYS",
  "INCIPIT_CACHE_BYTES",
]);

/**
 * The environment of a service that `up` starts: that of `up`, but none of its settings that name another bus, another
 * file or a port which several processes cannot share.
 */
export function serviceEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const handedOn = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!/^(INCIPIT|NATS)_/i.test(entry[0]) || HANDED_ON.has(entry[0])),
  );
  return { ...Object.fromEntries(handedOn), ...own };
}
