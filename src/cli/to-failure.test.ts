import { expect, test } from "bun:test";
import { faultText, toFailure } from "./failure.ts";

test("a query that failed is told with its cause, and without what it was given", () => {
  const cause = new Error('relation "users" does not exist');
  const error = new Error("Failed query: select 1 where a = $1\nparams: hunter2", { cause });
  const told = `Failed query: select 1 where a = $1: ${cause.message}`;
  expect(toFailure(error)).toMatchObject({ kind: "INTERNAL", message: expect.stringContaining(told) });
  expect(toFailure(error).message).not.toContain("hunter2");
  expect(faultText(error)).toBe(told);
});
