import type { Database } from "#api/core/database.ts";

/**
 * A query that is built once for each database and then only executed: to build one again costs several times what its
 * execution costs. Not for transactions, which are a new `Database` each.
 */
export const prepared = <Query>(build: (db: Database) => Query): ((db: Database) => Query) => {
  const built = new WeakMap<Database, Query>();
  return (db) => {
    const known = built.get(db);
    if (known !== undefined) return known;
    const query = build(db);
    built.set(db, query);
    return query;
  };
};
