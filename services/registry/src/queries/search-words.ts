import { ok, refuse, type Result } from "@incipit/schema";

/** Words of one search: each may stand for very many, and all else waits while they are looked up. */
const MOST_WORDS = 20;

/**
 * What a person looks for, as an FTS5 query: every word has to be there, `word*` begins so, `"two words"` stand together.
 * Every word is quoted, so that nothing of it is syntax to FTS5. Pure.
 */
export function matchOf(q: string): Result<string> {
  const terms: string[] = [];
  // A quotation mark that nobody closes reaches to the end.
  for (const [, phrase, closing = "", word = ""] of q.matchAll(/"([^"]*)("\*?|$)|([^\s"]+)/gu)) {
    const text = phrase ?? word.replace(/\*+$/u, "");
    const isPrefix = phrase === undefined ? word.endsWith("*") : closing === '"*';
    // What FTS5's tokenizer makes words of; without one of these, a term would find nothing at all.
    if (!/[\p{L}\p{N}\p{Co}]/u.test(text)) continue;
    terms.push(`"${text.replaceAll("\0", " ").replaceAll('"', '""')}"${isPrefix ? "*" : ""}`);
  }
  if (terms.length === 0)
    return refuse(
      "bad_request",
      `q: ${JSON.stringify(q)} holds no word to look for: give letters or digits.`,
    );
  if (terms.length > MOST_WORDS)
    return refuse("bad_request", `q: ${terms.length} words, the limit is ${MOST_WORDS}: look for fewer.`);
  return ok(terms.join(" AND "));
}
