import type Database from "better-sqlite3";
import { prepareActivations } from "./activations.ts";
import type { Projection } from "../projection/projection.ts";
import { prepareContractQueries } from "./contracts.ts";
import { prepareDependents } from "./dependents.ts";
import { prepareDiff } from "./diff.ts";
import { prepareGet } from "./get.ts";
import { prepareLabels } from "./labels.ts";
import { prepareList } from "./list.ts";
import { prepareCounts } from "./status.ts";
import { prepareVersions } from "./versions.ts";

/** Every query, prepared on one database. */
export type Queries = ReturnType<typeof prepareQueries>;

const prepared = new WeakMap<Projection, Queries>();

/** The queries on a projection, prepared on first use. */
export function queriesOn(projection: Projection): Queries {
  const known = prepared.get(projection) ?? prepareQueries(projection.db);
  prepared.set(projection, known);
  return known;
}

/** Prepares the queries. Each reads one state: nothing is applied while one runs. */
function prepareQueries(db: Database.Instance) {
  const get = prepareGet(db);
  return {
    get,
    diff: prepareDiff(get),
    dependents: prepareDependents(db),
    labels: prepareLabels(db),
    versions: prepareVersions(db),
    activations: prepareActivations(db),
    list: prepareList(db),
    ...prepareContractQueries(db),
    ...prepareCounts(db),
  };
}
