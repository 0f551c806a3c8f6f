import type { NATS_SETTINGS } from "./catalogue.ts";
import type { ConfigFault } from "./config-error.ts";
import type { Config } from "./setting.ts";

/** Whom to connect to, and as whom, as the bus takes it. */
export type NatsLogin = {
  servers: string;
  credsFile?: string;
  user?: string;
  password?: string;
  nkeySeed?: string;
  caFile?: string;
};

/** The connection that a configuration describes. */
export function natsLogin(config: Config<typeof NATS_SETTINGS>): NatsLogin {
  return {
    servers: config.NATS_URL,
    ...(config.NATS_CREDS !== null && { credsFile: config.NATS_CREDS }),
    ...(config.NATS_USER !== null && { user: config.NATS_USER }),
    ...(config.NATS_PASSWORD !== null && { password: config.NATS_PASSWORD }),
    ...(config.NATS_NKEY_SEED !== null && { nkeySeed: config.NATS_NKEY_SEED }),
    ...(config.NATS_CA !== null && { caFile: config.NATS_CA }),
  };
}

/** Half a pair of user and password, and more than one way to log in. */
export function findLoginFaults(
  read: (name: keyof typeof NATS_SETTINGS) => string | undefined,
): ConfigFault[] {
  const given = (name: keyof typeof NATS_SETTINGS) => read(name) !== undefined;
  const faults: ConfigFault[] = [];
  if (given("NATS_USER") !== given("NATS_PASSWORD")) {
    const [set, missing] = given("NATS_USER")
      ? ["NATS_USER", "NATS_PASSWORD"]
      : ["NATS_PASSWORD", "NATS_USER"];
    faults.push({ variable: missing, fault: `is not set, but ${set} is`, expected: "both or neither" });
  }
  const ways = [
    ...(given("NATS_CREDS") ? ["NATS_CREDS"] : []),
    ...(given("NATS_USER") || given("NATS_PASSWORD") ? ["NATS_USER with NATS_PASSWORD"] : []),
    ...(given("NATS_NKEY_SEED") ? ["NATS_NKEY_SEED"] : []),
    ...(read("NATS_URL")?.includes("@") ? ["a user in NATS_URL"] : []),
  ];
  const [first, ...others] = ways;
  if (first !== undefined && others.length > 0)
    faults.push({
      variable: first,
      fault: `is given together with ${others.join(" and ")}`,
      expected: "one way to log in",
    });
  return faults;
}
