import { SEARCH_FIELDS, type ListItem, type SearchField } from "@incipit/schema";
import type Database from "better-sqlite3";

/** Words of a snippet. */
const SNIPPET_WORDS = 16;
/** Stand around a match in what FTS5 gives: noncharacters of Unicode, which are for use within a program. */
const OPEN = "\u{FDD0}";
const CLOSE = "\u{FDD1}";

type Match = NonNullable<ListItem["match"]>;

/** Prepares saying where a key was found: the first of key, tags, note and body that has a match. */
export function prepareSnippets(db: Database.Instance) {
  const snippets = SEARCH_FIELDS.map(
    (field, column) => `snippet(search, ${column}, '${OPEN}', '${CLOSE}', '…', ${SNIPPET_WORDS}) AS ${field}`,
  ).join(", ");
  // FTS5 passes over a rowid that is no integer, and a number of JavaScript is bound as a real one.
  const select = db.prepare<[string, number], Record<SearchField, string>>(
    `SELECT ${snippets} FROM search WHERE search MATCH ? AND rowid = CAST(? AS INTEGER)`,
  );

  return function matchIn(match: string, id: number): Match | undefined {
    const row = select.get(match, id);
    const field = row && SEARCH_FIELDS.find((name) => row[name].includes(OPEN));
    return row === undefined || field === undefined ? undefined : { field, ...readSnippet(row[field]) };
  };
}

/** Takes the marks out of a snippet and says where they stood. */
function readSnippet(marked: string): Omit<Match, "field"> {
  let snippet = "";
  let start = 0;
  const ranges: Match["ranges"] = [];
  for (const part of marked.split(/([\u{FDD0}\u{FDD1}])/u)) {
    if (part === OPEN) start = snippet.length;
    else if (part !== CLOSE) snippet += part;
    else if (snippet.length > start) ranges.push([start, snippet.length]);
  }
  return { snippet, ranges };
}
