import { DatabaseUnusableError } from "./embedded/errors.ts";
import { databaseError, sqlStateOf } from "./errors.ts";

/**
 * Why a start on the PostgreSQL server at `url` failed, in words for the operator with host, port and database but
 * without the password; `null` when no such server is at fault, or there is none (`url` is `null`).
 */
export const refusedStart = (error: unknown, url: string | null): DatabaseUnusableError | null => {
  if (url === null) return null;
  const { host, pathname, username, password } = new URL(url);
  const state = sqlStateOf(error);
  const where = `the PostgreSQL server at ${host}`;
  if (state === "3D000") return unusable(`${where} has no database "${pathname.slice(1)}"; create it first`);
  if (state === "28P01" || state === "28000") {
    if (password === "")
      return unusable(
        `${where} does not let "${username}" in without a password; DATABASE_URL can hold one with the address`,
      );
    return unusable(`${where} does not let "${username}" in; check user and password in DATABASE_URL`);
  }
  if (state === "42501")
    return unusable(`${where} does not let "${username}" create tables and extensions; grant it that right`);
  // What CREATE EXTENSION answers: which of the two depends on the server's version.
  if (state === "0A000" || state === "58P01")
    return unusable(`${where} lacks the extension pg_trgm; install its contrib modules`);
  if (state === "25006")
    return unusable(`${where} is read-only, as a standby is; DATABASE_URL must name the primary`);
  if (databaseError(error)?.kind === "DB_UNAVAILABLE") return unusable(`${where} cannot be reached`);
  return null;
};

const unusable = (text: string): DatabaseUnusableError => new DatabaseUnusableError(text);
