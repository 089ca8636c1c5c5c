import type { Database } from "./database.ts";

/** What an own feature holds of a user, for the file that users get of their own data. */
export type PersonalData = {
  /** The user's rows in portions of a few hundred at most. */
  export(db: Database, userId: string): AsyncIterable<readonly object[]>;
};
