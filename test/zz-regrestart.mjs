import { createClient } from "@incipit/client";
import { ensureNatsServer, startNatsServer } from "@incipit/nats-server";
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "nats";
const dir = mkdtempSync("/tmp/regrestart-"); mkdirSync(dir + "/nats");
const bin = await ensureNatsServer({ env: process.env, install: false, log() {} });
const nats = await startNatsServer({ bin, storeDir: dir + "/nats" });
const t0 = performance.now(); const at = () => Math.round(performance.now() - t0);
const kids = []; let started = false; let recent = [];
for (const i of ["registry0", "registry1", "renderer2", "renderer3"]) {
  const child = spawn("node", [`services/${i.slice(0, -1)}/dist/main.js`], { env: { ...process.env, NATS_URL: nats.url, INCIPIT_DB: `${dir}/${i}.db`, LOG_LEVEL: "debug" } });
  kids.push(child);
  await new Promise((r) => child.stdout.on("data", (d) => { for (const line of String(d).split("\n")) { if (line.includes("is ready")) r(); if (line && started) { try { const { level, msg, code, err, subject } = JSON.parse(line); recent.push([at(), i, level, msg, code ?? "", err?.message ?? "", subject ?? ""].join(" ")); } catch {} } } }));
}
started = true;
const client = await createClient({ servers: nats.url, actor: "alice", timeoutMs: 40000 });
let restart, v = 0;
for (let round = 0; round < 14; round++) {
  recent = [];
  for (let i = 0; i < 25; i++, v++) {
    const s = performance.now();
    const timer = setTimeout(async () => {
      const nc = await connect({ servers: nats.url });
      const list = JSON.parse(new TextDecoder().decode((await nc.request("$JS.API.CONSUMER.LIST.PROMPTS", "{}")).data));
      console.log(at(), JSON.stringify(list.consumers?.map((c) => ({ name: c.name, filter: c.config.filter_subject, start: c.config.opt_start_seq, delivered: c.delivered, pending: c.num_pending, push_bound: c.push_bound }))));
      const info = JSON.parse(new TextDecoder().decode((await nc.request("$JS.API.STREAM.INFO.PROMPTS", "{}")).data)); console.log(JSON.stringify(info.state));
      await nc.close();
    }, 3500);
    const r = await client.add("greeting", { body: `x ${v}`, activate: true, retryNoResponders: true });
    clearTimeout(timer);
    const ms = performance.now() - s;
    if (ms > 3500) { console.log(at(), "add", v, Math.round(ms), "ms", r.ok ? r.value.version : JSON.stringify(r)); console.log(recent.join("\n")); round = 99; break; }
  }
  await restart; recent.push(at() + " KILL"); restart = nats.kill().then(() => nats.restart()).then(() => recent.push(at() + " restarted"));
}
await restart;
console.log("done", at());
await client.close(); for (const c of kids) { c.kill("SIGTERM"); await new Promise((r) => c.on("exit", r)); } await nats.stop(); rmSync(dir, { recursive: true });
