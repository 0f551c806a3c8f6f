export {
  CATALOGUE,
  isEventType,
  sha256HexSchema,
  type EventData,
  type EventType,
  type PromptEvent,
} from "./catalogue.ts";
export { encodeEnvelope, envelopeSchema, type Envelope } from "./envelope.ts";
export {
  admit,
  CHAIN_START,
  chainHash,
  readRecord,
  type Admission,
  type AdmitOptions,
  type ChainState,
  type Fault,
  type LogRecord,
  type Primitives,
  type Reading,
  type SignatureCheck,
} from "./chain.ts";
export {
  createSubjects,
  DEFAULT_PREFIX,
  DEFAULT_STREAM,
  HEADERS,
  keyToTokens,
  tokensToKey,
  type LogSubject,
  type Subjects,
} from "./subjects.ts";
export { upcast, UPCASTS, upcastsAreComplete, type Upcast, type UpcastSteps } from "./upcasts.ts";
