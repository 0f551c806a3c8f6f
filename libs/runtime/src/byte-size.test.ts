import { expect, it } from "vitest";
import { parseByteSize } from "./byte-size.ts";

it.each<[string, number | null]>([
  ["1", 1],
  ["67108864", 67_108_864],
  ["64MiB", 67_108_864],
  ["64 mib", 67_108_864],
  ["500MB", 500_000_000],
  ["1kB", 1000],
  ["1KiB", 1024],
  ["2GiB", 2_147_483_648],
  ["10b", 10],
  ["0", null],
  ["", null],
  ["MiB", null],
  ["64M", null],
  ["-1", null],
  ["1.5GiB", null],
  ["1e6", null],
  ["64  MiB", null],
  ["999999999999999GiB", null],
  ["9constructor", null],
])("reads the size %s", (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});
