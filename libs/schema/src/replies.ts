import { z } from "zod";
import { findingSchema } from "./problem-schema.ts";
import { SEARCH_FIELDS } from "./query-replies.ts";
import { KINDS, ON_ERROR, SYNTAXES } from "./template.ts";

/*
 * Replies as a receiver parses them. A field of a later release passes through, so that an old client can talk to a new
 * service; a field that is missing or of another type is refused.
 */

const nullableInt = z.int().nullable();

const renderersReply = z
  .looseObject({ applied: z.int(), known: z.int(), behind: z.array(z.string()) })
  .exactOptional();

/** A reply to `add`, as its receiver parses it. */
export const addReplySchema = z.looseObject({
  key: z.string(),
  version: z.int(),
  hash: z.string(),
  seq: z.int(),
  created: z.string(),
  unchanged: z.literal(true).exactOptional(),
  activated: z.string().nullable(),
  findings: z.array(findingSchema),
  warnings: z.array(z.string()),
  dryRun: z.literal(true).exactOptional(),
  renderers: renderersReply,
});

/** A reply to `activate`, as its receiver parses it. */
export const activateReplySchema = z.looseObject({
  key: z.string(),
  label: z.string(),
  version: z.int(),
  previous: nullableInt,
  seq: z.int(),
  changed: z.boolean(),
  warnings: z.array(z.string()),
  dryRun: z.literal(true).exactOptional(),
  renderers: renderersReply,
});

/** A reply to `deactivate`, as its receiver parses it. */
export const deactivateReplySchema = z.looseObject({
  key: z.string(),
  label: z.string(),
  previous: nullableInt,
  seq: z.int(),
  changed: z.boolean(),
  nowServes: z.literal(0).nullable(),
  renderers: renderersReply,
});

const settingsReply = {
  key: z.string(),
  version: z.int(),
  kind: z.enum(KINDS),
  syntax: z.enum(SYNTAXES),
  source: z.enum(["seed", "user"]),
  contract: z.string().nullable(),
  onError: z.enum(ON_ERROR),
  config: z.record(z.string(), z.json()).nullable(),
  tags: z.array(z.string()),
  note: z.string(),
  hash: z.string(),
  actor: z.string(),
  created: z.string(),
  seq: z.int(),
  labels: z.array(z.string()),
};

/** A reply to `get`, as its receiver parses it. */
export const getReplySchema = z.looseObject({ ...settingsReply, body: z.string() });

/** A reply to `versions`, as its receiver parses it. */
export const versionsReplySchema = z.looseObject({
  key: z.string(),
  items: z.array(z.looseObject({ ...settingsReply, bytes: z.int() })),
  total: z.int(),
  before: nullableInt,
  after: nullableInt,
});

/** A reply to `activations`, as its receiver parses it. */
export const activationsReplySchema = z.looseObject({
  key: z.string().nullable(),
  items: z.array(
    z.looseObject({
      key: z.string(),
      label: z.string(),
      version: nullableInt,
      previous: nullableInt,
      note: z.string(),
      actor: z.string(),
      at: z.string(),
      seq: z.int(),
    }),
  ),
  before: nullableInt,
});

/** A reply to `list`, as its receiver parses it. */
export const listReplySchema = z.looseObject({
  items: z.array(
    z.looseObject({
      key: z.string(),
      kind: z.enum(KINDS),
      syntax: z.enum(SYNTAXES),
      contract: z.string().nullable(),
      tags: z.array(z.string()),
      active: nullableInt,
      newest: nullableInt,
      seed: z.boolean(),
      labels: z.record(z.string(), z.int()),
      match: z
        .looseObject({
          field: z.enum(SEARCH_FIELDS),
          snippet: z.string(),
          ranges: z.array(z.tuple([z.int(), z.int()])),
        })
        .exactOptional(),
    }),
  ),
  total: z.int(),
  after: z.string().nullable(),
});

/** A reply to `labels`, as its receiver parses it. */
export const labelsReplySchema = z.looseObject({
  items: z.array(
    z.looseObject({
      label: z.string(),
      keys: z.int(),
      last: z.looseObject({ key: z.string(), actor: z.string(), at: z.string(), seq: z.int() }).nullable(),
    }),
  ),
  total: z.int(),
  after: z.string().nullable(),
});

const diffSide = z.looseObject({ version: z.int(), label: z.string().nullable(), hash: z.string() });

/** A reply to `diff`, as its receiver parses it. */
export const diffReplySchema = z.looseObject({
  key: z.string(),
  from: diffSide,
  to: diffSide,
  body: z.string(),
  settings: z.string(),
});

/** A reply to `dependents`, as its receiver parses it. */
export const dependentsReplySchema = z.looseObject({
  key: z.string(),
  items: z.array(
    z.looseObject({
      key: z.string(),
      versions: z.array(z.looseObject({ version: z.int(), labels: z.array(z.string()), live: z.boolean() })),
      path: z.array(z.string()),
    }),
  ),
  total: z.int(),
  after: z.string().nullable(),
});

/** A reply to `status`, as its receiver parses it. */
export const statusReplySchema = z.looseObject({
  instance: z.string(),
  stream: z.string(),
  seq: z.int(),
  lag: z.int(),
  chain: z.looseObject({ index: z.int(), head: z.string() }),
  counts: z.looseObject({ keys: z.int(), versions: z.int(), seeds: z.int(), activations: z.int() }),
  rejected: z.looseObject({
    count: z.int(),
    latest: z.array(z.looseObject({ seq: z.int(), subject: z.string(), reason: z.string() })),
  }),
  newerThanUs: z.looseObject({ seq: z.int(), type: z.string(), v: z.int() }).nullable(),
  server: z.looseObject({ version: z.string(), warnings: z.array(z.string()) }),
});

/** A reply to `publish`, as its receiver parses it. */
export const publishReplySchema = z.looseObject({
  name: z.string(),
  version: z.int(),
  hash: z.string(),
  seq: z.int(),
  created: z.string(),
  unchanged: z.literal(true).exactOptional(),
  affected: z.array(
    z.looseObject({ key: z.string(), version: z.int(), label: z.string(), findings: z.array(findingSchema) }),
  ),
  affectedCount: z.int(),
  warnings: z.array(z.string()),
  dryRun: z.literal(true).exactOptional(),
});

const contractItem = {
  name: z.string(),
  version: z.int(),
  note: z.string(),
  hash: z.string(),
  actor: z.string(),
  created: z.string(),
  seq: z.int(),
};

/** A reply to `contract`, as its receiver parses it. */
export const contractReplySchema = z.looseObject({
  ...contractItem,
  document: z.record(z.string(), z.json()),
});

/** A reply to `contracts`, as its receiver parses it. */
export const contractsReplySchema = z.looseObject({
  items: z.array(z.looseObject(contractItem)),
  total: z.int(),
  after: z.string().nullable(),
});

/** A reply to `reference`, as its receiver parses it. */
export const referenceReplySchema = z.looseObject({
  name: z.string(),
  version: z.int(),
  markdown: z.string(),
});

/** A reply to `check`, as its receiver parses it. */
export const checkReplySchema = z.looseObject({
  findings: z.array(findingSchema),
  warnings: z.array(z.string()),
  variables: z.array(z.string()),
});

/** A reply to `render`, as its receiver parses it. */
export const renderReplySchema = z.looseObject({
  key: z.string(),
  version: z.int(),
  label: z.string().nullable(),
  seq: z.int(),
  hash: z.string(),
  contract: z.looseObject({ name: z.string(), version: z.int() }).nullable(),
  text: z.string(),
  partials: z.array(z.looseObject({ key: z.string(), version: z.int() })),
  stale: z.literal(true).exactOptional(),
  warnings: z.array(z.string()),
});
