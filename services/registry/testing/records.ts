import { nodePrimitives } from "@incipit/bus";
import {
  CATALOGUE,
  chainHash,
  CHAIN_START,
  createSubjects,
  encodeEnvelope,
  type ChainState,
  type LogRecord,
  type PromptEvent,
} from "@incipit/events";
import { DEFAULT_SETTINGS, type TemplateSettings } from "@incipit/schema";
import { canonicalJson } from "../src/domain/canonical.ts";
import type { Origin } from "../src/domain/commands.ts";

export const subjects = createSubjects();
const sha256 = nodePrimitives.sha256;

/** The time at which everything in a scenario happens. */
export const NOON = "2026-01-01T12:00:00.000Z";

/** A log in the making: turns events into the records that a registry would have appended. */
export function createRecords() {
  const records: LogRecord[] = [];
  let chain: ChainState = CHAIN_START;
  return {
    records,
    chain: () => chain,
    /** A valid next event. */
    push(
      event: PromptEvent,
      origin: Partial<Origin> & { at?: string } = {},
      v: number = CATALOGUE[event.type].v,
    ): LogRecord {
      const seq = records.length + 1;
      const payload = new TextEncoder().encode(
        encodeEnvelope({
          id: `00000000-0000-7000-8000-${String(seq).padStart(12, "0")}`,
          type: event.type,
          v,
          at: origin.at ?? NOON,
          actor: origin.actor ?? "alice",
          commandId: origin.commandId ?? `given-${seq}`,
          commandHash: origin.commandHash ?? sha256(`given-${seq}`),
          trace: null,
          index: chain.index + 1,
          prev: chain.head,
          data: event.data,
        }),
      );
      const record = { seq, subject: subjects.logOf(event), payload, headers: {} };
      chain = { index: chain.index + 1, head: chainHash(nodePrimitives, record.subject, payload) };
      records.push(record);
      return record;
    },
    /** A message that is none of ours. */
    pushForeign(text: string): LogRecord {
      const record = {
        seq: records.length + 1,
        subject: `${subjects.prefix}.log.now.seed.foreign`,
        payload: new TextEncoder().encode(text),
        headers: {},
      };
      records.push(record);
      return record;
    },
  };
}

/** A stored version (0: a seed). */
export function added(
  key: string,
  version: number,
  body: string,
  settings: Partial<TemplateSettings> = {},
): PromptEvent {
  const data = { key, version, ...DEFAULT_SETTINGS, ...settings, body, note: "", hash: sha256(body) };
  return { type: "TemplateAdded", data: { ...data, source: version === 0 ? "seed" : "user" } };
}

/** A label that was moved. */
export function activated(
  key: string,
  version: number,
  label = "production",
  previous: number | null = null,
): PromptEvent {
  return { type: "TemplateActivated", data: { key, label, version, previous, note: "" } };
}

/** A label that was taken away. */
export function deactivated(key: string, previous: number, label = "production"): PromptEvent {
  return { type: "TemplateDeactivated", data: { key, label, previous, note: "" } };
}

/** A published contract. */
export function published(name: string, version: number, document: Record<string, unknown>): PromptEvent {
  const hash = sha256(canonicalJson(document));
  // The documents of tests are JSON.
  return { type: "ContractPublished", data: { name, version, document: document as never, note: "", hash } };
}
