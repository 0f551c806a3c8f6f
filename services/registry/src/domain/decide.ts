import type { Result } from "@incipit/schema";
import { decideActivate } from "./activate.ts";
import { decideAdd } from "./add.ts";
import type { Command, Decision, ReplyOf } from "./commands.ts";
import { decideDeactivate } from "./deactivate.ts";
import type { Facts } from "./facts.ts";
import type { Parse } from "./language.ts";
import { decidePublish } from "./publish.ts";
import { decideSeed } from "./seed.ts";

/**
 * Decides a command on the facts: the events to append, a reply that needs none, or a refusal. Pure: equal facts and
 * commands give equal decisions.
 */
export function decide<C extends Command>(
  facts: Facts,
  command: C,
  parse: Parse,
): Result<Decision<ReplyOf<C>>>;
export function decide(facts: Facts, command: Command, parse: Parse): Result<Decision> {
  switch (command.type) {
    case "add":
      return decideAdd(facts, command, parse);
    case "activate":
      return decideActivate(facts, command, parse);
    case "deactivate":
      return decideDeactivate(facts, command);
    case "publish":
      return decidePublish(facts, command);
    case "seed":
      return decideSeed(facts, command, parse);
  }
}
