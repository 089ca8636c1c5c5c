import { afterAll, beforeAll, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { issueSetupLink } from "./issue-setup-link.ts";
import { login } from "./login.ts";
import { takeState } from "./provider-store.ts";
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
  await login(ctx, { ...newPerson(), password: "wrong" }).catch(() => {});
  await takeState(database.db, "state", new Date(ctx.clock.now().getTime() + limits.oauthStateMs));

  const before = await contentsOf(database.db);
  await sweepExpired(ctx);
  expect(await contentsOf(database.db)).toEqual(before);
  const used = new Set(await tablesInUse());

  const ends: [string, number][] = [
    ["mailCooldowns", limits.mailCooldownMs],
    ["usedOauthStates", limits.oauthStateMs],
    ["tokens", limits.setupTokenMs],
    ["pendingRegistrations", limits.verificationTokenMs],
    ["sessions signInFailures", limits.sessionMs],
    ["knownDevices", limits.deviceMs],
  ];
  const begun = ctx.clock.now().getTime();
  for (const [tables, ms] of ends) {
    ctx.clock.advance(begun + ms - 1 - ctx.clock.now().getTime());
    await sweepExpired(ctx);
    expect(new Set(await tablesInUse())).toEqual(used);
    ctx.clock.advance(1);
    await sweepExpired(ctx);
    for (const table of tables.split(" ")) used.delete(table);
    expect(new Set(await tablesInUse())).toEqual(used);
  }
  expect(await tablesInUse()).toEqual(["users"]);
});

test("W2: what was guessed at an account's address counts for ever, and so does a known browser that is used", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await addUser(ctx, person);
  const { deviceToken } = await login(ctx, person);
  await login(ctx, { ...person, password: "wrong" }).catch(() => {});
  ctx.clock.advance(limits.deviceMs - 1);
  await sweepExpired(ctx);
  expect(await tablesInUse()).toContain("signInFailures");
  await login(ctx, { ...person, presentedDevice: deviceToken });
  ctx.clock.advance(limits.deviceMs - 1);
  await sweepExpired(ctx);
  expect(await tablesInUse()).toEqual(["knownDevices", "users"]);
});
