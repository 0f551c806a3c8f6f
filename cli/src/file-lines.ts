import type { Finding, Problem } from "@incipit/schema";

/** Gives how many lines of a file stand before the body of a template, by its key; undefined: the template checked. */
export type FrontLines = (partial: string | undefined) => number;

/** A finding as places in files, where front matter stands before a body. */
export function inFile(finding: Finding, frontLines: FrontLines): Finding {
  const lines = frontLines(finding.partial);
  const { witness } = finding;
  return {
    ...finding,
    line: finding.line + lines,
    endLine: finding.endLine + lines,
    ...(witness && {
      witness: { ...witness, fails: shifted(witness.fails, frontLines) },
    }),
  };
}

/** The same for a refusal, with all its findings. */
export function problemInFile(problem: Problem, frontLines: FrontLines): Problem {
  const { findings } = problem;
  const here = shifted(problem, frontLines);
  return findings === undefined
    ? here
    : { ...here, findings: findings.map((finding) => inFile(finding, frontLines)) };
}

function shifted<T extends { line?: number | undefined; partial?: string | undefined }>(
  place: T,
  frontLines: FrontLines,
): T {
  return place.line === undefined ? place : { ...place, line: place.line + frontLines(place.partial) };
}

/** A body with as many lines before it, so that its lines have their numbers in the file. */
export function bodyInFile(body: string, frontLines = 0): string {
  return "\n".repeat(frontLines) + body;
}
