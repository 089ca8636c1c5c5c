import { afterEach, beforeEach, expect, test } from "bun:test";
import { openTestHandle, type TestDatabaseHandle } from "#api/testing/database-handle.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { makeReady } from "./make-ready.ts";

let database: TestDatabaseHandle;
beforeEach(async () => {
  database = await openTestHandle();
});
afterEach(() => database.close());

test("an embedded database whose process ends right after it was opened is told of in words, without a statement", async () => {
  const { handle, log, interrupt } = database;
  await handle.check();
  await interrupt();
  const failure = await failureOf(makeReady(handle, { url: null, log }));
  expect(failure).toMatchObject({ name: "DatabaseUnusableError" });
  expect(String(failure)).toContain("the process of the embedded database ended");
});

test("why a start failed is told though its database cannot be closed either", async () => {
  const { handle, log } = database;
  const close = () => Promise.reject(new Error("closing failed"));
  const beforeChange = () => Promise.reject(new Error("not with this key"));
  await handle.exclusively((db) => db.execute("drop schema if exists drizzle cascade"));
  const failure = await failureOf(makeReady({ ...handle, close }, { url: null, log, beforeChange }));
  expect(String(failure)).toContain("not with this key");
});
