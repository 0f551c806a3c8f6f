import type Database from "better-sqlite3";
import { prepareActivations } from "./activations.ts";
import { prepareGet } from "./get.ts";
import { prepareList } from "./list.ts";
import { prepareCounts } from "./status.ts";
import { prepareVersions } from "./versions.ts";

/** Every query, prepared on one database. */
export type Queries = ReturnType<typeof prepareQueries>;

/** Prepares the queries. Each reads one state: nothing is applied while one runs. */
export function prepareQueries(db: Database.Instance) {
  return {
    get: prepareGet(db),
    versions: prepareVersions(db),
    activations: prepareActivations(db),
    list: prepareList(db),
    counts: prepareCounts(db),
  };
}
