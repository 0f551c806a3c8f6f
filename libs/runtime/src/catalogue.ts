import { delimiter } from "node:path";
import { z } from "zod";
import { parseByteSize } from "./byte-size.ts";
import { setting } from "./setting.ts";

// Faults say what is expected in the setting's own words, so the schemas need no messages.
const text = z.string();
const subjectToken = text.regex(/^[A-Za-z0-9_-]+$/);
const server = text.regex(
  /^((nats|tls):\/\/)?([^\s/@,]+@)?(\[[0-9A-Fa-f:.]+\]|[^\s/@,:[\]]+)(:\d{1,5})?\/?$/,
);
const listOf = (item: z.ZodType<string, string>, separator: string) =>
  text
    .transform((list) => list.split(separator).map((part) => part.trim()))
    .pipe(z.array(item))
    .nullable()
    .transform((list) => list ?? []);

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** How much is logged, from everything to nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Every setting there is. All processes share this one table, so that one environment can serve them all: a variable
 * that only another process reads is no fault, a name that is not in the table is. The documentation is made from it.
 */
export const SETTINGS = {
  NATS_URL: setting(
    text.refine((list) => list.split(",").every((url) => server.safeParse(url.trim()).success)),
    {
      description:
        "The NATS servers to connect to, separated by commas. `tls://` demands TLS. A user and password in the URL work, but are better given apart.",
      expected: "one or several of nats://host:4222 or tls://host:4222, separated by commas",
      default: "nats://127.0.0.1:4222",
    },
  ),
  NATS_CREDS: setting(text.nullable(), {
    description: "File with the JWT and seed of a NATS user.",
    expected: "the path of a .creds file",
  }),
  NATS_USER: setting(text.nullable(), {
    description: "NATS user name; goes with `NATS_PASSWORD`.",
    expected: "a user name",
  }),
  NATS_PASSWORD: setting(text.nullable(), {
    description: "Password of `NATS_USER`.",
    expected: "a password",
    secret: true,
  }),
  NATS_NKEY_SEED: setting(text.regex(/^SU[A-Z2-7]{56}$/).nullable(), {
    description: "Seed of a NATS user's nkey.",
    expected: "a user seed: SU and 56 characters of A-Z and 2-7",
    secret: true,
  }),
  NATS_CA: setting(text.nullable(), {
    description: "PEM file of the authority that signed the server's certificate. Demands TLS.",
    expected: "the path of a PEM file",
  }),
  INCIPIT_PREFIX: setting(subjectToken, {
    description: "First token of every subject. All processes of one installation share it.",
    expected: "one subject token of A-Z, a-z, 0-9, _ and -",
    default: "prompt",
  }),
  INCIPIT_STREAM: setting(subjectToken, {
    description: "Name of the JetStream stream that is the log.",
    expected: "a stream name of A-Z, a-z, 0-9, _ and -",
    default: "PROMPTS",
  }),
  INCIPIT_REPLICAS: setting(
    z.enum(["1", "3"]).transform((count) => (count === "1" ? 1 : 3)),
    { description: "Copies of the log, when it is created.", expected: "1 or 3", default: "1" },
  ),
  INCIPIT_DB: setting(text, {
    description:
      "SQLite file of the registry's projection. It can be deleted at any time: the log rebuilds it.",
    expected: "the path of a file in a folder that exists",
    default: "incipit.db",
  }),
  INCIPIT_SEEDS: setting(listOf(text.min(1), delimiter), {
    description:
      "Folders with the templates shipped with the software, separated like `PATH`. A later folder wins.",
    expected: `paths of folders, separated by "${delimiter}"`,
  }),
  INCIPIT_SIGNING_SEED: setting(text.regex(/^S[A-Z][A-Z2-7]{56}$/).nullable(), {
    description: "Ed25519 nkey seed that signs what this process appends to the log.",
    expected: "an nkey seed: 58 characters that begin with S",
    secret: true,
  }),
  INCIPIT_VERIFY_KEYS: setting(listOf(text.regex(/^[A-Z][A-Z2-7]{55}$/), ","), {
    description:
      "Public nkeys whose signatures count, separated by commas. Where it is set, an event without such a signature is rejected.",
    expected: "public nkeys of 56 characters, separated by commas",
  }),
  INCIPIT_CACHE_BYTES: setting(text.transform(parseByteSize).pipe(z.number()), {
    description: "Memory a renderer may use for compiled templates.",
    expected: "a size such as 64MiB, 500MB or 67108864",
    default: "64MiB",
  }),
  INCIPIT_HEALTH_PORT: setting(
    text
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(65_535))
      .nullable(),
    {
      description: "Port for `/livez` and `/readyz` over HTTP. Not set: nothing listens.",
      expected: "a port from 1 to 65535",
    },
  ),
  LOG_LEVEL: setting(z.enum(LOG_LEVELS), {
    description: "The least severity that is logged.",
    expected: `one of ${LOG_LEVELS.join(", ")}`,
    default: "info",
  }),
};

/** The settings that say whom to connect to, and as whom. */
export const NATS_SETTINGS = {
  NATS_URL: SETTINGS.NATS_URL,
  NATS_CREDS: SETTINGS.NATS_CREDS,
  NATS_USER: SETTINGS.NATS_USER,
  NATS_PASSWORD: SETTINGS.NATS_PASSWORD,
  NATS_NKEY_SEED: SETTINGS.NATS_NKEY_SEED,
  NATS_CA: SETTINGS.NATS_CA,
};
