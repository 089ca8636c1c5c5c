/** A slip planted on purpose, and the test files that fail with it. */
export type PlantedFault = {
  /** A few words, unique: how reports name it. */
  name: string;
  /** Source file below the project. */
  file: string;
  /** Text that stands exactly once in `file`, and what takes its place. */
  replace: string;
  by: string;
  /** What a user, operator or attacker would notice. */
  breaks: string;
  /** Test files that were seen to fail with it, quickest first. */
  seenBy: readonly [string, ...string[]];
  /** They fail on a PostgreSQL server alone: the embedded database has one session, which keeps people apart by itself. */
  onPostgres?: true;
};
