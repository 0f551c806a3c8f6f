import type {
  ActivateReply,
  AddReply,
  Contract,
  DeactivateReply,
  PublishReply,
  TemplateSettings,
} from "@incipit/schema";
import type { PromptEvent } from "@incipit/events";

/** Who sent a command, under which id; `commandHash` tells a retry from another command with the same id. */
export type Origin = { actor: string; commandId: string; commandHash: string };

/** The settings a command states; what it leaves out is inherited. */
export type StatedSettings = { [S in keyof TemplateSettings]?: TemplateSettings[S] | undefined };

/** Store an inactive version, and activate it under a label if one is given. */
export type Add = Origin & {
  type: "add";
  key: string;
  body: string;
  /** sha-256 of the body. */
  hash: string;
  settings: StatedSettings;
  note: string;
  /** The newest stored version the sender has seen; null or 0: none; undefined: no expectation. */
  expectNewest: number | null | undefined;
  activate: string | null;
  /** Where that label points as the sender has seen it; null or 0: nowhere; undefined: no expectation. */
  expectActive: number | null | undefined;
  dryRun: boolean;
  /** Now, ISO-8601 UTC: what a dry run calls the time of storing. */
  now: string;
};

/** Point a label at a stored version, or (version 0) give it back to the seed. */
export type Activate = Origin & {
  type: "activate";
  key: string;
  version: number;
  label: string;
  note: string;
  /** Where the label points as the sender has seen it; null or 0: nowhere; undefined: no expectation. */
  expectActive: number | null | undefined;
  dryRun: boolean;
};

/** Take a label away. */
export type Deactivate = Origin & { type: "deactivate"; key: string; label: string; note: string };

/** Store what the software ships as version 0, where it differs from what the log holds. */
export type Seed = Origin & {
  type: "seed";
  key: string;
  body: string;
  hash: string;
  settings: TemplateSettings;
};

/** Publish a version of a contract. `key` is its name. */
export type Publish = Origin & {
  type: "publish";
  key: string;
  contract: Contract;
  /** sha-256 of the canonical document. */
  hash: string;
  note: string;
  /** The newest version the sender has seen; null or 0: none; undefined: no expectation. */
  expectVersion: number | null | undefined;
  dryRun: boolean;
  /** Now, ISO-8601 UTC: what a dry run calls the time of storing. */
  now: string;
};

/** Everything that can be asked of the registry. */
export type Command = Add | Activate | Deactivate | Publish | Seed;

/** Since which position the log holds a seed as it is. */
export type SeedReply = { key: string; seq: number };

/** What a command is answered with, by its type. */
export type ReplyOf<C extends Command> = C extends Add
  ? AddReply
  : C extends Activate
    ? ActivateReply
    : C extends Deactivate
      ? DeactivateReply
      : C extends Publish
        ? PublishReply
        : SeedReply;

/** What is to be done about a command. */
export type Decision<R = AddReply | ActivateReply | DeactivateReply | PublishReply | SeedReply> =
  /** Append these, in this order. The reply is decided once the log holds them. */
  | { type: "append"; events: readonly [PromptEvent, ...PromptEvent[]] }
  /**
   * Nothing is to be appended. `settled`: the reply rests on this command's own events, and nothing later can change it;
   * otherwise it holds only if the facts were those of the log's end.
   */
  | { type: "reply"; reply: R; settled: boolean };
