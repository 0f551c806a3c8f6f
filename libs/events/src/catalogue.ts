import {
  configSchema,
  contractNameSchema,
  keySchema,
  KINDS,
  labelSchema,
  noteSchema,
  ON_ERROR,
  SYNTAXES,
  tagsSchema,
  versionSchema,
} from "@incipit/schema";
import { z } from "zod";

/** A sha-256 in lower-case hex. */
export const sha256HexSchema = z.string().regex(/^[0-9a-f]{64}$/);

const storedVersion = versionSchema.min(1);

/** A version of a template was stored. Version 0 is a seed, shipped with the software. */
const templateAddedSchema = z.strictObject({
  key: keySchema,
  version: versionSchema,
  kind: z.enum(KINDS),
  syntax: z.enum(SYNTAXES),
  body: z.string(),
  source: z.enum(["seed", "user"]),
  contract: contractNameSchema.nullable(),
  onError: z.enum(ON_ERROR),
  config: configSchema.nullable(),
  tags: tagsSchema,
  note: noteSchema,
  /** sha-256 of the body. */
  hash: sha256HexSchema,
});

/** A label of a key now points at a stored version. */
const templateActivatedSchema = z.strictObject({
  key: keySchema,
  label: labelSchema,
  version: storedVersion,
  previous: storedVersion.nullable(),
  note: noteSchema,
});

/** A label of a key points nowhere any more: the seed answers again, or nothing does. */
const templateDeactivatedSchema = z.strictObject({
  key: keySchema,
  label: labelSchema,
  previous: storedVersion,
  note: noteSchema,
});

/** A contract was published: the documented context that templates are written against. */
const contractPublishedSchema = z.strictObject({
  name: contractNameSchema,
  version: storedVersion,
  document: z.record(z.string(), z.json()),
  note: noteSchema,
  /** sha-256 of the canonical document. */
  hash: sha256HexSchema,
});

/** Every event, its current `v` and its schema: the one list that everything else is derived from. */
export const CATALOGUE = {
  TemplateAdded: { v: 1, data: templateAddedSchema },
  TemplateActivated: { v: 1, data: templateActivatedSchema },
  TemplateDeactivated: { v: 1, data: templateDeactivatedSchema },
  ContractPublished: { v: 1, data: contractPublishedSchema },
} as const;

/** The name of a kind of event. */
export type EventType = keyof typeof CATALOGUE;
/** A fact, as the domain sees it: its type and data in the current shape. */
export type PromptEvent = {
  [T in EventType]: { type: T; data: z.infer<(typeof CATALOGUE)[T]["data"]> };
}[EventType];
/** The data of one type of event. */
export type EventData<T extends EventType> = Extract<PromptEvent, { type: T }>["data"];

/** Whether this release knows a type of event. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(CATALOGUE, type);
}
