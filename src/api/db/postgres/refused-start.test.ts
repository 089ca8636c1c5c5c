import { describe, expect, test } from "bun:test";
import postgres from "postgres";
import { refusedStart } from "./refused-start.ts";

const url = "postgres://ada:s3cret@db.example:5433/shop";
const answer = (code: string, more: object = {}) =>
  Object.assign(new postgres.PostgresError("FATAL: no"), { code, ...more });
const failed = (cause: Error) => new Error("Failed query: select 1", { cause });

describe("a start that PostgreSQL refuses", () => {
  const rows: [string, string][] = [
    ["3D000", 'the PostgreSQL server at db.example:5433 has no database "shop"; create it first'],
    [
      "28P01",
      'the PostgreSQL server at db.example:5433 does not let "ada" in; check user and password in DATABASE_URL',
    ],
    [
      "28000",
      'the PostgreSQL server at db.example:5433 does not let "ada" in; check user and password in DATABASE_URL',
    ],
    [
      "0A000",
      "the PostgreSQL server at db.example:5433 lacks the extension pg_trgm; install its contrib modules",
    ],
    [
      "58P01",
      "the PostgreSQL server at db.example:5433 lacks the extension pg_trgm; install its contrib modules",
    ],
    [
      "25006",
      "the PostgreSQL server at db.example:5433 is read-only, like a standby; DATABASE_URL must point to the primary",
    ],
    ["57P03", "the PostgreSQL server at db.example:5433 cannot be reached"],
    [
      "42501",
      'the PostgreSQL server at db.example:5433 does not let "ada" create tables and extensions; grant it these rights',
    ],
    [
      "42P07",
      'the database "shop" on the PostgreSQL server at db.example:5433 has tables with the names that Atrium needs, but not its list of migrations: ' +
        "they belong to another program, and Atrium needs an empty database of its own in DATABASE_URL; or they were loaded from a dump " +
        'without the schema "drizzle", which has to be in it',
    ],
  ];
  for (const [code, words] of rows) {
    test(`${code} says where and what to do, without the password`, () => {
      const refusal = refusedStart(failed(answer(code)), url);
      expect(refusal?.message).toBe(words);
      expect(refusal?.message).not.toContain("s3cret");
    });
  }
  test("without a password in the address it is a password that is missing", () => {
    expect(refusedStart(answer("28P01"), "postgres://ada@db.example/shop")?.message).toBe(
      'the PostgreSQL server at db.example does not let "ada" in without a password; add one to DATABASE_URL',
    );
  });
  test("a right that is missing for the connection itself is told as that", () => {
    expect(refusedStart(failed(answer("42501", { severity: "FATAL" })), url)?.message).toBe(
      'the PostgreSQL server at db.example:5433 does not let "ada" connect to the database "shop"; grant it CONNECT on that database',
    );
  });
  test.each(["22023", "42704", "58P01"])(
    "what the address asks for and is refused with %s is not repeated",
    (code) => {
      const repeating = Object.assign(new postgres.PostgresError('invalid value: "hunter2"'), {
        ...{ code, severity: "FATAL" },
      });
      const refusal = refusedStart(failed(repeating), `${url}?client_encoding=hunter2`);
      expect(refusal?.message).toBe(
        `the PostgreSQL server at db.example:5433 refuses the connection with SQLSTATE ${code}; check the parameters after the "?" in DATABASE_URL, and the server's log`,
      );
    },
  );
  test("what is the product's own fault is left as it is", () => {
    expect(refusedStart(new TypeError("x"), url)).toBeNull();
    expect(refusedStart(answer("42601"), url)).toBeNull();
    expect(refusedStart(answer("42P07"), null)).toBeNull();
  });
});
