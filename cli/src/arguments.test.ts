import { describe, expect, it } from "vitest";
import * as parse from "./arguments.ts";

describe("arguments", () => {
  it("reads versions", () => {
    expect([parse.version("0"), parse.version("12")]).toEqual([0, 12]);
    for (const text of ["", "-1", "1.5", "1e3", "x", "0x1", "1000000000", " 1"])
      expect(() => parse.version(text)).toThrow("whole number");
  });

  it("reads a version that may be none", () => {
    const read = (text: string) => parse.toExpectation(parse.seenVersion(text));
    expect([read("none"), read("3"), parse.toExpectation(undefined)]).toEqual([null, 3, undefined]);
    expect(() => parse.seenVersion("null")).toThrow("whole number");
  });

  it("reads durations into milliseconds", () => {
    expect([parse.duration("500ms"), parse.duration("5s")]).toEqual([500, 5_000]);
    expect(() => parse.duration("5")).toThrow("Write 5s or 5ms.");
    for (const text of ["", "0s", "5m", "-1s", "1.5s", "s", "9999999s"])
      expect(() => parse.duration(text)).toThrow("duration");
  });

  it("reads labels and actors", () => {
    expect([parse.label("staging-2"), parse.actor("Alice_1-x")]).toEqual(["staging-2", "Alice_1-x"]);
    for (const text of ["", "3", "Staging", "a b"]) expect(() => parse.label(text)).toThrow("label");
    for (const text of ["", "a.b", "a b", "*", ">"]) expect(() => parse.actor(text)).toThrow("actor");
  });

  it("makes an actor of any account name", () => {
    expect(["alice", "al.ice@home", "", "ü"].map(parse.toActor)).toEqual([
      "alice",
      "al-ice-home",
      "cli",
      "-",
    ]);
  });
});
