// Measures rendering against stock compiled Handlebars, in turns, in one process of plain Node on what `tsc -b` built:
// what a test runner loads it transforms, and that costs more than what is measured here.
//
// Reads `{ body, partials, context, rounds, turnMs }` as JSON from standard input, and writes
// `{ ours, stock, texts }`: microseconds per render of each round, and both texts.
import { linkTemplate, parseTemplate, render } from "@incipit/templates";
import Handlebars from "handlebars";
import { readFileSync } from "node:fs";

const { body, partials, context, rounds, turnMs } = JSON.parse(readFileSync(0, "utf8"));

function valueOf(result) {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

function compileOurs() {
  const parse = (text) => valueOf(parseTemplate(text, "handlebars"));
  const linked = valueOf(
    linkTemplate("bench", parse(body), (key) => ({ key, version: 1, parsed: parse(partials[key]) })),
  );
  return () => valueOf(render(linked, context)).text;
}

function compileStock() {
  const stock = Handlebars.create();
  stock.registerHelper({
    eq: (a, b) => a === b,
    join: (list, between) => list.join(between),
    default: (value, fallback) => value ?? fallback,
  });
  const options = { noEscape: true };
  for (const [key, text] of Object.entries(partials))
    stock.registerPartial(key, stock.compile(text, options));
  const template = stock.compile(body, options);
  return () => template(context);
}

/** Microseconds of one call, over one turn. */
function time(run) {
  const start = performance.now();
  let [calls, length, now] = [0, 0, start];
  for (; now - start < turnMs; now = performance.now())
    for (let i = 0; i < 20; i++, calls++) length += run().length;
  // The texts are used, so that no call can be left out.
  return length < 0 ? 0 : ((now - start) * 1000) / calls;
}

const ours = compileOurs();
const stock = compileStock();
const times = { ours: [], stock: [] };
for (let round = 0; round < rounds; round++) {
  // Whoever comes second finds the processor warmer.
  if (round % 2 === 0) times.ours.push(time(ours));
  times.stock.push(time(stock));
  if (round % 2 === 1) times.ours.push(time(ours));
}
console.log(JSON.stringify({ ...times, texts: [ours(), stock()] }));
