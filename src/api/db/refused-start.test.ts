import { describe, expect, test } from "bun:test";
import postgres from "postgres";
import { refusedStart } from "./refused-start.ts";

const url = "postgres://ada:s3cret@db.example:5433/shop";
const answer = (code: string) => Object.assign(new postgres.PostgresError("FATAL: no"), { code });

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
      "the PostgreSQL server at db.example:5433 is read-only, as a standby is; DATABASE_URL must name the primary",
    ],
    ["57P03", "the PostgreSQL server at db.example:5433 cannot be reached"],
  ];
  for (const [code, words] of rows) {
    test(`${code} says where and what to do, without the password`, () => {
      const refusal = refusedStart(new Error("Failed query", { cause: answer(code) }), url);
      expect(refusal?.message).toBe(words);
      expect(refusal?.message).not.toContain("s3cret");
    });
  }
  test("without a password in the address it is a password that is missing", () => {
    expect(refusedStart(answer("28P01"), "postgres://ada@db.example/shop")?.message).toBe(
      'the PostgreSQL server at db.example does not let "ada" in without a password; DATABASE_URL can hold one with the address',
    );
  });
  test("what is the product's own fault is left as it is", () => {
    expect(refusedStart(new TypeError("x"), url)).toBeNull();
    expect(refusedStart(answer("42601"), url)).toBeNull();
  });
});
