import { unwrap, type Client } from "@incipit/client";

/** Writes a history that touches every command, label, setting and refusal; gives the last position. */
export async function writeHistory(client: Client): Promise<number> {
  unwrap(await client.add("_partials/tone", { kind: "partial", body: "Be kind.", activate: true }));
  for (let n = 1; n <= 7; n++)
    unwrap(
      await client.add("support/triage", {
        body: `{{> _partials/tone}} v${n} {{name}}\r\n`,
        tags: [`t${n % 2}`],
        note: `n${n}`,
      }),
    );
  for (const version of [1, 3, 2])
    unwrap(await client.activate("support/triage", { version, note: `to ${version}` }));
  unwrap(await client.activate("support/triage", { version: 7, label: "staging" }));
  unwrap(
    await client.add("slots", {
      syntax: "slots",
      body: 'Hi {name}, {"a": 1}',
      config: { model: "m" },
      activate: "canary",
    }),
  );
  unwrap(
    await client.add("plain", {
      syntax: "plain",
      body: "{{not}} {a} template 🌍",
      onError: "degrade",
      activate: true,
    }),
  );
  unwrap(await client.deactivate("plain", { note: "gone" }));
  await client.add("broken", { body: "{{#if}}" });
  await client.activate("plain", { version: 9 });
  return unwrap(await client.status()).seq;
}

/** Every answer that the registry can give about a history, without the instance that gave it. */
export async function askEverything(client: Client, minSeq: number): Promise<string> {
  const keys: string[] = [];
  const answers: unknown[] = [];
  const ask = (reply: unknown) => answers.push(reply);
  for (const options of [
    {},
    { prefix: "support/" },
    { tag: "t1" },
    { kind: "partial" as const },
    { label: "staging" },
    { limit: 1 },
    { q: "name" },
    { q: "tri* kind*" },
  ])
    ask(await client.list({ ...options, minSeq }));
  for (const { key } of unwrap(await client.list({ limit: 200 })).items) keys.push(key);
  for (const key of [...keys, "broken"]) {
    ask(await client.versions(key, { limit: 3 }));
    ask(await client.versions(key, { limit: 2, before: 5 }));
    ask(await client.versions(key, { limit: 2, after: 2 }));
    ask(await client.activations(key, {}));
    for (const label of ["production", "staging", "canary"]) ask(await client.get(`${key}@${label}`, {}));
    for (let version = 0; version <= 8; version++) ask(await client.get(`${key}@${version}`, {}));
  }
  for (const at of [1, 9, 12]) ask(await client.get("support/triage", { at }));
  ask(await client.diff("support/triage", { from: 1, to: "staging" }));
  ask(await client.dependents("_partials/tone"));
  ask(await client.activations(null));
  ask(await client.labels());
  const { instance: _, lag: __, ...status } = unwrap(await client.status());
  ask(status);
  return JSON.stringify(answers, (name, value: unknown) => (name === "instance" ? undefined : value), 1);
}
