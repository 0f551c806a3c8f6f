import { expect, it } from "vitest";
import { featuresOf } from "../testing/features.ts";
import { pairOf } from "../testing/fuzz.ts";
import { createRandom } from "../testing/random.ts";
import { HELPERS } from "./helper-table.ts";

// What is tried of the checker is what its generator writes: a part of the language that it no longer writes, or only in
// templates that are refused, would be noticed by no property test.

const TRIED = 3_000;
const LEAST = 5;

const helpers = Object.keys(HELPERS);
const tests = ["and", "or", "not", "eq", "ne", "lt", "lte", "gt", "gte", "length", "default", "lookup"];
const each = (names: readonly string[], write: (name: string) => string) => names.map(write);
const range = (...upTo: number[]) => upTo.map(String);

/** Arguments that few helpers take, or none. */
const RARE = new Set([
  "join argument 0 literal",
  "join argument 0 of a loop",
  "join argument 0 scope",
  "join argument 0 call",
  "json argument 0 of a loop",
  "indent argument 0 of a loop",
  "lookup argument 0 of a loop",
  "lower argument 0 of a loop",
  "upper argument 0 of a loop",
  "trim argument 0 of a loop",
  "gt argument 0 of a loop",
  "gte argument 0 of a loop",
  "lt argument 0 of a loop",
  "lte argument 0 of a loop",
]);

const FEATURES = [
  [
    "text",
    "breakpoint",
    "slot",
    "print field",
    "print this",
    "print @index",
    "print @key",
    "print second name",
  ],
  each(helpers, (helper) => `print (${helper})`),
  ["if field", "unless field", "if this", "if else", "unless else", "if else if", "unless else if"],
  ["if else each", "if else with", "if includeZero field", "unless includeZero field"],
  each(tests, (helper) => `if (${helper})`),
  each(tests, (helper) => `unless (${helper})`),
  each(tests, (helper) => `if includeZero (${helper})`),
  ["each field", "each this", "each scope", "each root", "each (default)", "each (lookup)", "each else"],
  each(range(0, 1, 2), (count) => `each with ${count} names`),
  [
    "with field",
    "with this",
    "with scope",
    "with @index",
    "with (length)",
    "with (default)",
    "with (lookup)",
  ],
  ["with with 0 names", "with with 1 names", "with else", "with number", "with 0"],
  each(["here", "field", "this", "scope", "(default)", "(lookup)"], (from) => `include ${from} alone`),
  each(["here", "field", "this", "scope", "(default)", "(lookup)"], (from) => `include ${from} with a field`),
  each(["here", "field", "this", "(default)"], (from) => `include ${from} with fields`),
  each(["alone", "with a field", "with fields"], (by) => `include in a partial ${by}`),
  ["include in a loop", "a partial included from two places", "field named length", "field named 0"],
  each(["field", "this", "scope", "root", "null", "0", "string", "boolean"], (value) => `field ${value}`),
  each(["lookup", "default", "length", "and", "or"], (helper) => `field (${helper})`),
  each(["", "partial: "], (where) => `${where}root`),
  ["", "partial: "].flatMap((where) => each(range(0, 1, 2), (up) => `${where}scope up ${up}`)),
  ["", "partial: "].flatMap((where) => each(range(0, 1), (up) => `${where}item up ${up}`)),
  ["key up 0", "key up 1", "partial: key up 0"],
  ["index", "key", "first", "last"].flatMap((name) => each(range(0, 1), (up) => `@${name} up ${up}`)),
  ["index", "key", "first", "last"].map((name) => `partial: @${name} up 0`),
  each(range(0, 1, 2, 3, 4), (count) => `scope and ${count} names`),
  each(range(0, 1, 2, 3, 4), (count) => `root and ${count} names`),
  each(range(0, 1, 2), (count) => `item and ${count} names`),
  ["a length by name", "a place by name", "and, or, not three deep"],
  each(["and", "or", "not", "default", "lookup"], (helper) => `${helper} in ${helper}`),
  helpers.flatMap((helper) =>
    ["field", "literal", "call", "scope", "of a loop"].map((kind) => `${helper} argument 0 ${kind}`),
  ),
  ["and", "or", "eq", "ne", "default", "lookup"].flatMap((helper) =>
    ["field", "literal", "call", "scope", "of a loop"].map((kind) => `${helper} argument 1 ${kind}`),
  ),
  ["lt", "lte", "gt", "gte"].flatMap((helper) =>
    ["field", "literal", "call"].map((kind) => `${helper} argument 1 ${kind}`),
  ),
  [
    "json argument 1 literal",
    "json argument 1 field",
    "indent argument 1 field",
    "indent argument 1 literal",
    "join argument 1 literal",
  ],
  [
    "0",
    "number",
    "string",
    "field",
    "@index",
    "@key",
    "second name",
    "(length)",
    "(default)",
    "(lookup)",
  ].map((key) => `lookup argument 1 is ${key}`),
  ["field", "this", "scope", "item", "root", "(default)", "(lookup)"].map(
    (from) => `lookup argument 0 is ${from}`,
  ),
  ["field", "0", "boolean", "null", "empty string", "string", "(default)", "(lookup)", "(length)"].map(
    (second) => `default argument 1 is ${second}`,
  ),
]
  .flat()
  .filter((feature) => !RARE.has(feature));

it("what is tried and accepted has every part of the language in it", () => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= TRIED; seed++) {
    const pair = pairOf(createRandom(seed), { witnesses: false });
    if (pair === null || pair.report.findings.length > 0) continue;
    for (const feature of featuresOf(pair.linked)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  const few = FEATURES.filter((feature) => (counts.get(feature) ?? 0) < LEAST);
  expect(few.map((feature) => `${feature}: ${counts.get(feature) ?? 0}`)).toEqual([]);
}, 120_000);
