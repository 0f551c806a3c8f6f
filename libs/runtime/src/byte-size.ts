const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** Reads `64MiB`, `500 kB` or a plain number of bytes; null where the text is none of these, or not a positive size. */
export function parseByteSize(text: string): number | null {
  const match = /^(\d{1,15}) ?([a-z]{0,3})$/i.exec(text);
  const unit = UNITS[match?.[2]?.toLowerCase() ?? "none"];
  if (match === null || unit === undefined) return null;
  const bytes = Number(match[1]) * unit;
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}
