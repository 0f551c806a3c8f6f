import type { z } from "zod";

/** Any schema, as one finds it inside another. */
export type ZodSchema = z.core.$ZodType;

/** What Zod knows a schema by. Every schema there is is one of `$ZodTypes`; its base class does not say so. */
export function definitionOf(schema: ZodSchema): z.core.$ZodTypes["_zod"]["def"] {
  // oxlint-disable-next-line no-underscore-dangle -- Zod keeps what libraries may rely on there
  return (schema as z.core.$ZodTypes)._zod.def;
}

/**
 * What a wrapper holds; null where a schema wraps none. Of `z.lazy` it is what Zod has kept: its getter makes another
 * schema at each call, in which no recursion would ever be seen.
 */
export function wrappedBy(schema: ZodSchema): ZodSchema | null {
  const def = definitionOf(schema);
  switch (def.type) {
    case "optional":
    case "default":
    case "nullable":
    case "readonly":
      return def.innerType;
    case "lazy":
      // oxlint-disable-next-line no-underscore-dangle -- as above; the definition says that it is a lazy one
      return (schema as z.core.$ZodLazy)._zod.innerType;
    default:
      return null;
  }
}

/** One check of a schema, as far as it is looked at. */
export type ZodCheck = { readonly check: string; readonly minimum?: unknown; readonly format?: string };

/** What a schema checks beside its type: those added to it, and its own where it is a format. */
export function checksOf(schema: ZodSchema): ZodCheck[] {
  const def: object = definitionOf(schema);
  const own = "check" in def ? [def as ZodCheck] : [];
  const checks = "checks" in def ? (def.checks as readonly z.core.$ZodCheck[] | undefined) : undefined;
  // oxlint-disable-next-line no-underscore-dangle -- as above
  return [...own, ...(checks ?? []).map(({ _zod }) => _zod.def as ZodCheck)];
}
