import type { z } from "zod";
import { faultText } from "./fault-text.ts";
import { ok, refuse, type ErrorCode, type Result } from "./problem.ts";

/** The path of a fault as a person writes it: `pins.a/b`, `items[2].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${String(step)}`,
    "",
  );
}

/** Parses an untrusted value; the refusal lists every fault with its path, and carries the first one's. */
export function parseWith<T>(
  schema: z.ZodType<T>,
  value: unknown,
  what: string,
  code: ErrorCode = "bad_request",
): Result<T> {
  const parsed = schema.safeParse(value, { error: faultText });
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues;
  const faults = issues.slice(0, 8).map((issue) => {
    const path = formatPath(issue.path);
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  if (issues.length > faults.length) faults.push(`and ${issues.length - faults.length} more`);
  const path = formatPath(issues[0]?.path ?? []);
  return refuse(code, `${what} is not valid. ${faults.join("; ")}.`, path === "" ? {} : { path });
}
