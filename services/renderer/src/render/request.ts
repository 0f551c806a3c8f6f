import {
  DEFAULT_LABEL,
  LIMITS,
  ok,
  parseKey,
  parseWith,
  refuse,
  renderPayloadSchema,
  utf8Length,
  type JsonObject,
  type Result,
} from "@incipit/schema";

/** Which template a request asks for: everything that decides on the versions that take part. */
export type Wanted = {
  key: string;
  fallbackKeys: readonly string[];
  /** The version asked for by number, or null where the label decides. */
  version: number | null;
  /** The label followed; `production` where the request names none. What is included follows it too. */
  label: string;
  /** Versions to use for these keys, whatever their labels say. */
  pins: ReadonlyMap<string, number>;
};

/** A render request, understood. */
export type RenderRequest = {
  wanted: Wanted;
  context: JsonObject;
  /** Whether fields of the context that the contract does not list are refused. */
  refuseExtra: boolean;
  /** 0: any state will do. */
  minSeq: number;
  /** The longest wait for `minSeq`, in milliseconds. */
  timeoutMs: number;
};

/** How long a request waits for its `minSeq` unless it says otherwise, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 2_000;

/** Reads a request for `key`. Refusals: `bad_request`, `bad_key`, `too_large`. */
export function readRequest(key: string, body: unknown): Result<RenderRequest> {
  const parsed = parseWith(renderPayloadSchema, body, "The render request");
  if (!parsed.ok) return malformedKey(body) ?? parsed;
  const {
    context,
    label,
    version,
    pins = {},
    fallbackKeys = [],
    extraFields,
    minSeq,
    timeoutMs,
  } = parsed.value;
  if (label !== undefined && version !== undefined)
    return refuse(
      "bad_request",
      `The request names both the label ${label} and version ${version}: leave one out.`,
      { key },
    );
  const bytes = utf8Length(JSON.stringify(context));
  if (bytes > LIMITS.contextBytes)
    return refuse(
      "too_large",
      `The context has ${bytes} bytes of JSON, the limit is ${LIMITS.contextBytes}: send less, or split the prompt.`,
      { key, path: "context" },
    );
  return ok({
    wanted: {
      key,
      fallbackKeys,
      version: version ?? null,
      label: label ?? DEFAULT_LABEL,
      pins: new Map(Object.entries(pins)),
    },
    context,
    refuseExtra: extraFields === "refuse",
    minSeq: minSeq ?? 0,
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
}

/** A key that is none is `bad_key` wherever it stands, so that callers need not tell two codes apart. */
function malformedKey(body: unknown): Result<never> | null {
  if (typeof body !== "object" || body === null) return null;
  const { fallbackKeys, pins } = body as { fallbackKeys?: unknown; pins?: unknown };
  const keys: unknown[] = [
    ...(Array.isArray(fallbackKeys) ? fallbackKeys : []),
    ...(typeof pins === "object" && pins !== null ? Object.keys(pins) : []),
  ];
  for (const key of keys) {
    const parsed = typeof key === "string" ? parseKey(key) : null;
    if (parsed?.ok === false) return parsed;
  }
  return null;
}
