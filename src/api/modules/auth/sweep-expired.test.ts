import { afterAll, beforeAll, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { issueSetupLink } from "./issue-setup-link.ts";
import { login } from "./login.ts";
import { register } from "./register.ts";
import { sweepExpired } from "./sweep-expired.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const tablesInUse = async () =>
  (await contentsOf(database.db))
    .map((row) => row.split(" ")[0] ?? "")
    .filter((name, at, all) => all.indexOf(name) === at);

test("what has ended goes, each in its time, and nothing before", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await issueSetupLink(ctx);
  await register(ctx, newPerson());
  await addUser(ctx, person);
  await login(ctx, person);

  const before = await contentsOf(database.db);
  await sweepExpired(ctx);
  expect(await contentsOf(database.db)).toEqual(before);

  ctx.clock.advance(limits.mailCooldownMs);
  await sweepExpired(ctx);
  expect(await tablesInUse()).toEqual(["pendingRegistrations", "sessions", "tokens", "users"]);

  ctx.clock.advance(limits.setupTokenMs);
  await sweepExpired(ctx);
  expect(await tablesInUse()).toEqual(["pendingRegistrations", "sessions", "users"]);

  ctx.clock.advance(limits.verificationTokenMs);
  await sweepExpired(ctx);
  expect(await tablesInUse()).toEqual(["sessions", "users"]);

  ctx.clock.advance(limits.sessionMs);
  await sweepExpired(ctx);
  expect(await tablesInUse()).toEqual(["users"]);
});
