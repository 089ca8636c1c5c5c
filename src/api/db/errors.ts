import { DrizzleQueryError } from "drizzle-orm";
import postgres from "postgres";
import { AppError } from "#api/core/app-error.ts";
import { awayCode } from "./postgres/sockets.ts";

/**
 * The failure that a caller should hear when the database, not the statement, is at fault: `DB_UNAVAILABLE` for a
 * lost or refused connection, `STORAGE_FULL` for a full disk, `BUSY` for a lock that others hold too long. `null` for anything else, network errors of other
 * services included.
 */
export const databaseError = (error: unknown): AppError | null => {
  const links = chainOf(error);
  const isQuery = links.some((link) => link instanceof DrizzleQueryError || "query" in link);
  for (const link of links) {
    const code = codeOf(link);
    if (code === null) continue;
    if (isState(link) && code === diskFull) return new AppError("STORAGE_FULL", undefined, { cause: error });
    if (isState(link) && code === lockTimeout)
      return new AppError("BUSY", undefined, { cause: error, retryAfterS: 1 });
    if (
      (isState(link) && lossStates.test(code)) ||
      lossByDriver.includes(code) ||
      (isQuery && lossBySystem.includes(code))
    ) {
      return new AppError("DB_UNAVAILABLE", undefined, { cause: error, retryAfterS: 1 });
    }
  }
  return null;
};

/** Whether a unique index refused the row; with `constraint`, whether that index did. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  chainOf(error).some(
    (link) =>
      codeOf(link) === uniqueViolation && (constraint === undefined || constraintOf(link) === constraint),
  );

/** The SQLSTATE that the server answered with, or `null`. */
export const sqlStateOf = (error: unknown): string | null => {
  const link = chainOf(error).find(isState);
  return link ? codeOf(link) : null;
};

/** Whether the server ended the connection with the error, or did not let it come about. */
export const isFatal = (error: unknown): boolean => {
  const link = chainOf(error).find(isState);
  return link !== undefined && Reflect.get(link, "severity") === "FATAL";
};

/** postgres.js calls it `constraint_name`; PGlite's own driver, which tests in memory use, `constraint`. */
const constraintOf = (error: object): unknown =>
  Reflect.get(error, "constraint_name") ?? Reflect.get(error, "constraint");

const uniqueViolation = "23505";
const diskFull = "53100";
const lockTimeout = "55P03";

// Class 08, the server's own goodbyes, too many connections, and a server that only reads: a primary that became a standby.
const lossStates = /^(?:08...|57P0[123]|53300|25006)$/;
const lossByDriver = [
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  awayCode,
];
// Only for queries: sockets to other services fail with the same codes.
const lossBySystem = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
];

/** Whether the error's code is an SQLSTATE, sent by the server. */
const isState = (link: object): boolean => link instanceof postgres.PostgresError;

const codeOf = (error: object): string | null => {
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : null;
};

/** The error and its causes; a few, because a chain may be a ring. */
const chainOf = (error: unknown): object[] => {
  const links: object[] = [];
  for (let link = error; typeof link === "object" && link !== null && links.length < 5; ) {
    links.push(link);
    link = Reflect.get(link, "cause");
  }
  return links;
};
