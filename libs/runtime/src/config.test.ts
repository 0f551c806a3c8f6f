import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NATS_SETTINGS, SETTINGS } from "./catalogue.ts";
import { ConfigError } from "./config-error.ts";
import { readConfig, type Environment } from "./config.ts";
import { natsLogin } from "./nats-login.ts";
import type { Shape } from "./setting.ts";

const SEED = `SU${"A".repeat(56)}`;

function faultsOf(env: Environment, shape: Shape = SETTINGS): Record<string, string> {
  try {
    readConfig(env, shape);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Object.fromEntries(error.faults.map(({ variable, fault }) => [variable, fault]));
  }
  return {};
}

describe("a configuration", () => {
  it("is whole with nothing set", () => {
    expect(readConfig({ PATH: "/bin" }, SETTINGS)).toEqual({
      NATS_URL: "nats://127.0.0.1:4222",
      NATS_CREDS: null,
      NATS_USER: null,
      NATS_PASSWORD: null,
      NATS_NKEY_SEED: null,
      NATS_CA: null,
      INCIPIT_PREFIX: "prompt",
      INCIPIT_STREAM: "PROMPTS",
      INCIPIT_REPLICAS: 1,
      INCIPIT_DB: "incipit.db",
      INCIPIT_SEEDS: [],
      INCIPIT_SIGNING_SEED: null,
      INCIPIT_VERIFY_KEYS: [],
      INCIPIT_CACHE_BYTES: 67_108_864,
      INCIPIT_HEALTH_PORT: null,
      LOG_LEVEL: "info",
    });
  });

  it("takes an empty string for a variable that is not set", () => {
    const env = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ""]));
    expect(readConfig({ ...env, NATS_OLD: "" }, SETTINGS)).toEqual(readConfig({}, SETTINGS));
  });

  it("gives values of the right type", () => {
    const config = readConfig(
      {
        NATS_URL: "nats://a:1, tls://b.example, [::1]:4222, c",
        INCIPIT_REPLICAS: "3",
        INCIPIT_SEEDS: "/a:/b/c",
        INCIPIT_VERIFY_KEYS: `U${"A".repeat(55)}, A${"B".repeat(55)}`,
        INCIPIT_CACHE_BYTES: "2 GiB",
        INCIPIT_HEALTH_PORT: "8080",
        LOG_LEVEL: "debug",
      },
      SETTINGS,
    );
    expect(config.INCIPIT_REPLICAS).toBe(3);
    expect(config.INCIPIT_SEEDS).toEqual(["/a", "/b/c"]);
    expect(config.INCIPIT_VERIFY_KEYS).toHaveLength(2);
    expect(config.INCIPIT_CACHE_BYTES).toBe(2 * 1024 ** 3);
    expect(config.INCIPIT_HEALTH_PORT).toBe(8080);
  });

  it("lists every fault at once, each with what is expected", () => {
    const env = {
      NATS_URL: "http://nats",
      INCIPIT_PREFIX: "a.b",
      INCIPIT_REPLICAS: "2",
      INCIPIT_CACHE_BYTES: "64M",
      INCIPIT_HEALTH_PORT: "0",
      INCIPIT_SEEDS: "/a::/b",
      INCIPIT_VERIFY_KEYS: "nope",
      LOG_LEVEL: "INFO",
    };
    expect(() => readConfig(env, SETTINGS)).toThrowErrorMatchingInlineSnapshot(`
      [ConfigError: The configuration has 8 faults:
        NATS_URL is "http://nats". Expected: one or several of nats://host:4222 or tls://host:4222, separated by commas.
        INCIPIT_PREFIX is "a.b". Expected: one subject token of A-Z, a-z, 0-9, _ and -.
        INCIPIT_REPLICAS is "2". Expected: 1 or 3.
        INCIPIT_SEEDS is "/a::/b". Expected: paths of folders, separated by ":".
        INCIPIT_VERIFY_KEYS is "nope". Expected: public nkeys of 56 characters, separated by commas.
        INCIPIT_CACHE_BYTES is "64M". Expected: a size such as 64MiB, 500MB or 67108864.
        INCIPIT_HEALTH_PORT is "0". Expected: a port from 1 to 65535.
        LOG_LEVEL is "INFO". Expected: one of trace, debug, info, warn, error, fatal, silent.]
    `);
  });

  it("does not look at the value of a variable that only another process reads", () => {
    expect(faultsOf({ INCIPIT_CACHE_BYTES: "junk" }, { LOG_LEVEL: SETTINGS.LOG_LEVEL })).toEqual({});
  });
});

// A public report: support told users to set a variable that no release ever read, and nothing said so.
describe("a name that no setting has", () => {
  it.each([
    ["INCIPIT_REPLICA", "INCIPIT_REPLICAS"],
    ["INCIPIT_NATS_URL", "NATS_URL"],
    ["INCIPIT_LOG_LEVEL", "LOG_LEVEL"],
    ["NATS_PASS", "NATS_CA"],
    ["NATS_PASSWD", "NATS_PASSWORD"],
    ["incipit_db", "INCIPIT_DB"],
  ])("is refused with the nearest that one has: %s", (name, nearest) => {
    expect(() => readConfig({ [name]: "x" }, SETTINGS)).toThrow(
      `${name} is not a setting. Expected: ${nearest}, perhaps`,
    );
  });

  it("passes where it is a tool's, another software's, or a service link of the orchestrator", () => {
    expect(
      faultsOf({
        NATS_SERVER_BIN: "/usr/bin/nats-server",
        OTEL_SERVICE_NAME: "x",
        NATSX: "1",
        NATS_SERVICE_HOST: "10.0.0.1",
        NATS_SERVICE_PORT: "4222",
        NATS_SERVICE_PORT_CLIENT: "4222",
        NATS_PORT: "tcp://10.0.0.1:4222",
        NATS_PORT_4222_TCP: "tcp://10.0.0.1:4222",
        NATS_PORT_4222_TCP_ADDR: "10.0.0.1",
        INCIPIT_REGISTRY_SERVICE_HOST: "10.0.0.2",
      }),
    ).toEqual({});
    expect(faultsOf({ INCIPIT_HELTH_PORT: "8080" })).toHaveProperty("INCIPIT_HELTH_PORT");
  });
});

describe("a login", () => {
  it.each<[string, Environment, object]>([
    ["a file", { NATS_CREDS: "/x.creds" }, { credsFile: "/x.creds" }],
    ["a pair", { NATS_USER: "u", NATS_PASSWORD: "p" }, { user: "u", password: "p" }],
    ["a seed", { NATS_NKEY_SEED: SEED, NATS_CA: "/ca.pem" }, { nkeySeed: SEED, caFile: "/ca.pem" }],
    ["nothing", {}, {}],
  ])("is %s", (_, env, login) => {
    expect(natsLogin(readConfig(env, NATS_SETTINGS))).toEqual({
      servers: "nats://127.0.0.1:4222",
      ...login,
    });
  });

  it.each<[string, Environment, Record<string, string>]>([
    ["without a password", { NATS_USER: "u" }, { NATS_PASSWORD: "is not set, but NATS_USER is" }],
    ["without a user", { NATS_PASSWORD: "p" }, { NATS_USER: "is not set, but NATS_PASSWORD is" }],
    [
      "of two kinds",
      { NATS_CREDS: "f", NATS_NKEY_SEED: SEED },
      { NATS_CREDS: "is given together with NATS_NKEY_SEED" },
    ],
    [
      "in the URL and beside it",
      { NATS_URL: "nats://u:p@h", NATS_CREDS: "f" },
      { NATS_CREDS: "is given together with a user in NATS_URL" },
    ],
  ])("is refused %s", (_, env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });
});

it("never shows a secret, whatever is wrong with it", () => {
  const secretNames = Object.entries(SETTINGS).flatMap(([name, { secret }]) => (secret ? [name] : []));
  expect(secretNames).toEqual(["NATS_PASSWORD", "NATS_NKEY_SEED", "INCIPIT_SIGNING_SEED"]);
  fc.assert(
    fc.property(fc.constantFrom(...secretNames), fc.uuid(), (name, value) => {
      expect(() => readConfig({ [name]: value }, SETTINGS)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining(value) }),
      );
    }),
  );
  expect(() => readConfig({ NATS_URL: "nats//u:hunter2@h" }, SETTINGS)).toThrow("value is not shown");
  expect(() => readConfig({ INCIPIT_TOKEN: "hunter2" }, SETTINGS)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
  );
});
