import type { Database } from "#api/core/database.ts";
import { NoInstallationError, UnfitDatabaseError } from "./embedded/errors.ts";
import { findPending, readApplied, readJournal, thisProgram } from "./migration-journal.ts";

/**
 * Throws where to work on the database would begin an installation there (`NoInstallationError`) or migrate it
 * (`UnfitDatabaseError`), and changes nothing. `url` is the server's, `null` for the embedded database. Not within a
 * transaction: a database without tables would end that.
 */
export const refuseChange = async (db: Database, url: string | null): Promise<void> => {
  const [journal, applied] = [await readJournal(thisProgram), await readApplied(db)];
  if (applied.length === 0)
    throw new NoInstallationError(`there is no installation ${placeOf(url)}; start one with: atrium serve`);
  const waiting = findPending(journal, applied).length;
  if (waiting === 0) return;
  throw new UnfitDatabaseError(
    `The database belongs to an older version, and commands do not migrate it: ${waiting === 1 ? "a migration is pending" : `${waiting} migrations wait`}. ` +
      "Start the server, or run: atrium migrate",
  );
};

const placeOf = (url: string | null): string => {
  if (url === null) return "in the embedded database";
  const { pathname, host } = new URL(url);
  return `in the database "${decodeURIComponent(pathname.slice(1))}" on the PostgreSQL server at ${host}`;
};
