import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../libs/templates/testing/measure-speed.mjs", import.meta.url));

/** Rounds in which both have their turn, and for how long each, in milliseconds. */
const ROUNDS = 100;
const TURN_MS = 6;

type Case = {
  name: string;
  body: string;
  partials: Readonly<Record<string, string>>;
  context: object;
  /** Times as fast as stock. */
  atLeast: number;
};

/** Prose of about so many characters, as prompts are made of. */
function prose(length: number, about: string): string {
  const sentence = `Look at ${about} before you answer, say what you found, and do not invent what is not there. `;
  return sentence
    .repeat(Math.ceil(length / sentence.length))
    .slice(0, length)
    .trimEnd();
}

const user = { name: "Ada", language: "English", plan: "team", note: null, tags: ["early", "vocal"] };
const agent = { name: "Otto", tone: "friendly", goal: "close the ticket" };
const tasks = Array.from({ length: 12 }, (_, n) => ({
  id: `T-${n}`,
  title: `Task number ${n}`,
  state: n % 3 === 0 ? "done" : "open",
  owner: n % 4 === 0 ? null : "Grace",
  labels: ["urgent", "billing"],
}));
const messages = Array.from({ length: 8 }, (_, n) => ({
  role: n % 2 === 0 ? "user" : "assistant",
  text: prose(120, `message ${n}`),
}));
const tools = Array.from({ length: 6 }, (_, n) => ({
  name: `tool_${n}`,
  description: prose(90, `tool ${n}`),
  parameters: [
    { name: "query", required: true },
    { name: "limit", required: false },
  ],
}));

const SMALL = `You are {{agent.name}}, a {{agent.tone}} assistant. Help {{user.name}} to {{agent.goal}}.
{{#if topic}}
The topic is {{topic}}.
{{/if}}
Answer in {{user.language}}, in at most {{limit}} sentences. Never invent facts, and ask where you are not sure.`;

const MEDIUM = `You are {{agent.name}}, a {{agent.tone}} assistant on the {{user.plan}} plan.

# Rules
${prose(1_100, "the rules")}
{{#if (eq user.plan "team")}}
Speak to {{user.name}} as one of a team: {{join user.tags ", "}}.
{{else}}
Speak to {{user.name}} alone.
{{/if}}

# Tools
{{#each tools}}
- {{name}}: {{description}}
{{#each parameters}}
  - {{name}}{{#unless required}} (may be left out){{/unless}}
{{/each}}
{{/each}}

# Tasks of {{user.name}}
${prose(700, "the tasks")}
{{#each tasks}}
{{@index}}. [{{state}}] {{title}} ({{id}}), owner: {{default owner "nobody"}}{{#if @last}}.{{else}};{{/if}}
{{/each}}

# So far
{{#each messages}}
{{role}}: {{text}}
{{else}}
Nothing was said.
{{/each}}

# How to answer
${prose(1_100, "what was said so far")}
Answer {{user.name}} in {{user.language}}{{#with agent}}, in a {{tone}} voice, so as to {{goal}}{{/with}}.`;

const partials = Object.fromEntries(
  Array.from({ length: 80 }, (_, n) => [
    `_partials/section-${n}`,
    `## Section ${n}, for {{user.name}}
${prose(420, `section ${n}`)}
{{#if (eq user.plan "team")}}
The team's goal: {{agent.goal}}.
{{/if}}
{{#each tasks}}
- {{title}}: {{state}}
{{/each}}
${prose(180, "the next section")}
`,
  ]),
);
const LARGE = Object.keys(partials)
  .map((key) => `{{> ${key}}}\n`)
  .join("");

const context = { user, agent, topic: "billing", limit: 5, tasks, tools, messages };
const CASES: Case[] = [
  { name: "240 B", body: SMALL, partials: {}, context, atLeast: 3 },
  { name: "4 KB", body: MEDIUM, partials: {}, context, atLeast: 2 },
  {
    name: "64 KB, 80 partials",
    body: LARGE,
    partials,
    context: { ...context, tasks: tasks.slice(0, 3) },
    atLeast: 2.5,
  },
];

/** The time that a tenth of the rounds stay below, once both are warm: what neighbours on the machine do not slow. */
function undisturbed(micros: number[]): number {
  const warm = micros.slice(ROUNDS / 4).toSorted((a, b) => a - b);
  return warm[Math.floor(warm.length / 10)] ?? 0;
}

type Measured = { ours: number[]; stock: number[]; texts: [string, string] };

it.each(CASES)("renders what stock compiled Handlebars does, how fast it says: $name", (one) => {
  const input = JSON.stringify({ ...one, rounds: ROUNDS, turnMs: TURN_MS });
  const { ours, stock, texts } = JSON.parse(
    execFileSync(process.execPath, [SCRIPT], { input, encoding: "utf8" }),
  ) as Measured;
  const [mine, theirs] = [undisturbed(ours), undisturbed(stock)];
  console.log(
    `${one.name}: ${(theirs / mine).toFixed(2)}x stock, ${mine.toFixed(2)} µs against ${theirs.toFixed(2)} µs, ` +
      `for a text of ${texts[0].length} characters`,
  );
  expect(texts[0]).toBe(texts[1]);
  expect(theirs / mine).toBeGreaterThan(one.atLeast);
});
