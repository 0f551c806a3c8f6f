// What going through a text costs, in steps. A step is about half a microsecond at most, measured on the slowest texts there
// are, memory and its collection included; so the few kinds that take ten times as long as any other pay for it alone.

/** Comparing or hashing. */
export function costOfComparing(length: number): number {
  return length >> 10;
}

/** Copying, or finding the space at both ends: up to 4 ns for a UTF-16 unit. */
export function costOfCopying(length: number): number {
  return length >> 7;
}

const BEYOND_LATIN = /[^\0-\xff]/;

/** Letters that Unicode turns into two or three. */
const EXPANDING = /[\u0130\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1f50-\u1fff\ufb00-\ufb17]/;

/** Changing the case: 2 ns for a unit of Latin, 12 ns for any other, 30 ns and twice the memory where it expands. */
export function costOfCase(text: string): number {
  if (!BEYOND_LATIN.test(text)) return text.length >> 7;
  return EXPANDING.test(text) ? text.length >> 3 : text.length >> 5;
}

/** Writing as a string of JSON, but for the units that `countEscapes` counts: 4 ns for a unit. */
export function costOfQuoting(length: number): number {
  return length >> 6;
}

// oxlint-disable-next-line no-control-regex -- they are what it looks for
const ESCAPED = /[\0-\x1f\ud800-\udfff]/;

/** Units that JSON writes as six: controls without a letter of their own, 20 ns, and lone surrogates, 200 ns each. */
export function countEscapes(text: string): number {
  if (!ESCAPED.test(text)) return 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20) count += unit < 0x08 || unit > 0x0d || unit === 0x0b ? 1 : 0;
    else if ((unit & 0xf800) === 0xd800) {
      if (unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00)
        i++; // a pair is written as it stands
      else count++;
    }
  }
  return count;
}
