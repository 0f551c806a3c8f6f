/** Whether a subject lies under a filter: `*` stands for one token, a `>` at the end for one or more. Pure. */
export function matchesSubject(filter: string, subject: string): boolean {
  const wanted = filter.split(".");
  const tokens = subject.split(".");
  for (const [i, part] of wanted.entries()) {
    if (part === ">" && i === wanted.length - 1) return tokens.length > i;
    if (tokens[i] === undefined || (part !== "*" && part !== tokens[i])) return false;
  }
  return tokens.length === wanted.length;
}
