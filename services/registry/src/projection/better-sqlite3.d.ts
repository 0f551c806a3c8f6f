/**
 * What is used here of better-sqlite3, which brings no types of its own. Rows are typed by whoever writes the SQL: the
 * statement next to the type is what makes it true.
 */
declare module "better-sqlite3" {
  namespace Database {
    type Value = string | number | bigint | null | Uint8Array;
    type Parameters = readonly (Value | Readonly<Record<string, Value>>)[];
    type Statement<P extends Parameters = Value[], Row = unknown> = {
      run: (...parameters: P) => { changes: number };
      get: (...parameters: P) => Row | undefined;
      all: (...parameters: P) => Row[];
      pluck: () => Statement<P, Row>;
    };
    type Instance = {
      prepare: <P extends Parameters = [], Row = unknown>(sql: string) => Statement<P, Row>;
      exec: (sql: string) => void;
      pragma: (text: string, options?: { simple?: boolean }) => unknown;
      /** Runs the function in a transaction, rolled back if it throws. */
      transaction: <A extends unknown[], R>(run: (...args: A) => R) => { immediate: (...args: A) => R };
      close: () => void;
    };
  }
  const Database: {
    new (path: string, options?: { timeout?: number }): Database.Instance;
    SqliteError: { new (message: string, code: string): Error & { code: string } };
  };
  export = Database;
}
