/** Longer names are not compared, so that a hint never costs more than the fault it explains. */
const LONGEST = 64;
const MOST_CANDIDATES = 500;

/** Case, `_` and `-` aside: firstName, first_name and First-Name are one. */
const fold = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  let before: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? Infinity;
}

/** The candidate a misspelt name most likely means: the same but for case and separators, else the nearest by edits. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  // Less than half of the name: what shares no more with it was not meant.
  const allowed = Math.max(1, Math.min(3, Math.ceil(name.length / 2) - 1));
  const folded = fold(name);
  let best: string | undefined;
  let bestDistance = Math.min(allowed, name.length - 1) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > MOST_CANDIDATES) break;
    if (candidate.length > LONGEST || candidate === name) continue;
    if (fold(candidate) === folded) return candidate;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const found = distance(folded, fold(candidate));
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}
