import { ConfigError, type ConfigFault } from "./config-error.ts";
import { EXIT } from "./exit.ts";
import { findLoginFaults } from "./nats-login.ts";
import type { Config, Setting, Shape } from "./setting.ts";
import { findUnknownNames } from "./variable-names.ts";

/** An environment: what a process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Characters of a wrong value that a failure shows. */
const SHOWN_LENGTH = 60;

/**
 * Reads the settings of `shape` from an environment; an empty string counts as not set. Throws a `ConfigError` that
 * lists every fault at once: wrong values, half a login, names that no setting has.
 */
export function readConfig<S extends Shape>(env: Environment, shape: S): Config<S> {
  const read = (name: string) => (env[name] === "" ? undefined : env[name]);
  const faults: ConfigFault[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(shape)) {
    const given = read(name);
    const parsed = setting.schema.safeParse(given ?? setting.default);
    if (parsed.success) config[name] = parsed.data;
    else faults.push({ variable: name, fault: describeValue(given, setting), expected: setting.expected });
  }
  if ("NATS_URL" in shape) faults.push(...findLoginFaults(read));
  faults.push(...findUnknownNames(env));
  if (faults.length > 0) throw new ConfigError(faults);
  // Every name of the shape was parsed by its own schema above.
  return config as Config<S>;
}

function describeValue(given: string | undefined, { secret }: Setting<unknown>): string {
  if (given === undefined) return "is not set";
  // A URL can hold a password before its "@", and a broken one anywhere.
  if (secret || given.includes("@")) return "is not well-formed (its value is not shown)";
  const shown = given.length > SHOWN_LENGTH ? `${given.slice(0, SHOWN_LENGTH)}…` : given;
  return `is ${JSON.stringify(shown)}`;
}

/** `readConfig` for a program's first line: prints the faults on standard error and exits with `EXIT.config`. */
export function loadConfig<S extends Shape>(env: Environment, shape: S): Config<S> {
  try {
    return readConfig(env, shape);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(EXIT.config);
  }
}
