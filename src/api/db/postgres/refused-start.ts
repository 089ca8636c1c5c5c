import { DatabaseUnusableError } from "../embedded/errors.ts";
import { databaseError, isFatal, sqlStateOf } from "../errors.ts";

/**
 * Why a start on the PostgreSQL server at `url` failed, or on the embedded database (`url` is `null`), in words for the operator:
 * with host, port and database, but without the password, what the address asks for behind its `?`, and the statement. `null`
 * when the database is not at fault.
 */
export const refusedStart = (error: unknown, url: string | null): DatabaseUnusableError | null => {
  const isAway = databaseError(error)?.kind === "DB_UNAVAILABLE";
  if (url === null) return isAway ? unusable(endedText) : null;
  const { host, pathname, username, password } = new URL(url);
  const state = sqlStateOf(error);
  const where = `the PostgreSQL server at ${host}`;
  if (state === "3D000") return unusable(`${where} has no database "${pathname.slice(1)}"; create it first`);
  if (state === "28P01" || state === "28000") {
    if (password === "")
      return unusable(`${where} does not let "${username}" in without a password; add one to DATABASE_URL`);
    return unusable(`${where} does not let "${username}" in; check user and password in DATABASE_URL`);
  }
  if (state === "25006")
    return unusable(`${where} is read-only, like a standby; DATABASE_URL must point to the primary`);
  if (isAway) return unusable(`${where} cannot be reached`);
  if (state === "42501" && isFatal(error))
    return unusable(
      `${where} does not let "${username}" connect to the database "${pathname.slice(1)}"; grant it CONNECT on that database`,
    );
  // Its own words repeat what the address asks for.
  if (isFatal(error))
    return unusable(
      `${where} refuses the connection with SQLSTATE ${state}; check the parameters after the "?" in DATABASE_URL, and the server's log`,
    );
  if (state === "42501")
    return unusable(
      `${where} does not let "${username}" create tables and extensions; grant it these rights`,
    );
  // What CREATE EXTENSION answers: which of the two depends on the server's version.
  if (state === "0A000" || state === "58P01")
    return unusable(`${where} lacks the extension pg_trgm; install its contrib modules`);
  if (state === "42P07")
    return unusable(
      `the database "${pathname.slice(1)}" on ${where} has tables with the names that Atrium needs, but not its list of migrations: ` +
        "they belong to another program, and Atrium needs an empty database of its own in DATABASE_URL; or they were loaded from a dump " +
        'without the schema "drizzle", which has to be in it',
    );
  return null;
};

/**
 * Ends a start that failed: closes what it has opened, and throws why it failed, in the words of {@link refusedStart} where it
 * has some.
 */
export const endStart = async (
  error: unknown,
  { url, close }: { url: string | null; close: () => Promise<unknown> },
): Promise<never> => {
  // What else goes wrong now follows from it, and the process ends.
  await close().catch(() => {});
  throw refusedStart(error, url) ?? error;
};

const endedText =
  "the process of the embedded database ended during the start; see the log. Try again; if it ends again, " +
  "something stops it: check whether the machine has free memory";

const unusable = (text: string): DatabaseUnusableError => new DatabaseUnusableError(text);
