import { describe, expect, test } from "bun:test";
import { DrizzleQueryError } from "drizzle-orm";
import postgres from "postgres";
import { databaseError } from "./errors.ts";

const withCode = (code: string, more: object = {}): Error =>
  Object.assign(new Error(code), { code, ...more });
const ofQuery = (error: Error): Error => new DrizzleQueryError("select 1", [], error);

describe("a lost connection is DB_UNAVAILABLE", () => {
  const losses: Record<string, Error> = {
    "closed under a query": ofQuery(withCode("CONNECTION_CLOSED")),
    "closed under a transaction": withCode("CONNECTION_CLOSED"),
    "not accepted in time": withCode("CONNECT_TIMEOUT"),
    refused: ofQuery(withCode("ECONNREFUSED")),
    "refused to a transaction": withCode("ECONNREFUSED", { query: "begin" }),
    reset: ofQuery(withCode("ECONNRESET")),
    "without a socket file": ofQuery(withCode("ENOENT")),
  };
  for (const [name, error] of Object.entries(losses)) {
    test(name, () => {
      expect(databaseError(error)).toMatchObject({ kind: "DB_UNAVAILABLE", retryAfterS: 1, cause: error });
    });
  }
});

describe("the server's own word decides:", () => {
  const answers: Record<string, [state: string, kind: string]> = {
    "it shuts down": ["57P01", "DB_UNAVAILABLE"],
    "it has crashed": ["57P02", "DB_UNAVAILABLE"],
    "it starts": ["57P03", "DB_UNAVAILABLE"],
    "it lost the connection": ["08006", "DB_UNAVAILABLE"],
    "it has too many connections": ["53300", "DB_UNAVAILABLE"],
    "it has become a standby": ["25006", "DB_UNAVAILABLE"],
    "its disk is full": ["53100", "STORAGE_FULL"],
    "another process holds a lock": ["55P03", "BUSY"],
  };
  test.each(Object.entries(answers))("%s", (_title, [code, kind]) => {
    const error = Object.assign(new postgres.PostgresError("no"), { code });
    expect(databaseError(ofQuery(error))).toMatchObject({ kind });
  });
});

describe("what other services and files do is not the database's fault", () => {
  for (const code of ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"]) {
    test(code, () => expect(databaseError(withCode(code))).toBeNull());
  }
  test("nothing at all", () => expect(databaseError(undefined)).toBeNull());
  test("text", () => expect(databaseError("CONNECTION_CLOSED")).toBeNull());
});

test("a ring of causes comes to an end", () => {
  const ring = withCode("22012");
  Object.assign(ring, { cause: ring });
  expect(databaseError(ring)).toBeNull();
});
