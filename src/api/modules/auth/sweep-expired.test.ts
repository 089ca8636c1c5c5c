import { expect } from "bun:test";
import { hashToken, newId } from "#api/core/ids.ts";
import { emailChanges, invitations, knownDevices } from "#api/db/schema.ts";
import {
  findSession,
  insertDevice,
  listSessions,
  sessionsOf,
  touchSessions,
} from "#api/modules/sessions/index.ts";
import { addMember, beginAgain } from "#api/testing/add-member.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { beginPasskeyLogin } from "./factor-sign-in.ts";
import { sweepExpired } from "./password-reset.ts";
import { takeState } from "./provider-store.ts";
import { issueSetupLink, register } from "./registration.ts";
import { login } from "./sign-in.ts";

const database = await databaseForFile();

const tablesInUse = async () =>
  withoutLog(await contentsOf(database.db))
    .map((row) => row.split(" ")[0] ?? "")
    .filter((name, at, all) => all.indexOf(name) === at);

const step = inOrder();

step("what has ended goes, each in its time, and nothing before", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await issueSetupLink(ctx);
  await register(ctx, newPerson());
  const { id: userId } = await addUser(ctx, person);
  await login(ctx, person);
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + limits.verificationTokenMs);
  await database.db.insert(invitations).values({
    ...{ id: newId(), email: "a@b.example", emailKey: "a@b.example", role: "user", tokenHash: "invitation" },
    ...{ mailedAt: now, expiresAt },
  });
  await database.db.insert(emailChanges).values({
    ...{ id: newId(), userId, oldEmail: "o@b.example", oldKey: "o@b.example", newEmail: "n@b.example" },
    ...{ newKey: "n@b.example", newHash: "new", oldHash: "old", needsApproval: false },
    ...{ createdAt: now, expiresAt, changedAt: now },
  });
  await login(ctx, { ...newPerson(), password: "wrong" }).catch(() => {});
  await beginPasskeyLogin(ctx);
  await takeState(database.db, "state", new Date(ctx.clock.now().getTime() + limits.oauthStateMs));

  const before = await contentsOf(database.db);
  await sweepExpired(ctx);
  expect(await contentsOf(database.db)).toEqual(before);
  const used = new Set(await tablesInUse());

  const ends: [string, number][] = [
    ["mailCooldowns", limits.mailCooldownMs],
    ["ceremonies", limits.ceremonyMs],
    ["usedOauthStates", limits.oauthStateMs],
    ["tokens", limits.setupTokenMs],
    ["pendingRegistrations", limits.verificationTokenMs],
    ["sessions signInFailures emailChanges", limits.sessionMs],
    ["invitations", limits.verificationTokenMs + limits.invitationsKeptMs],
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
  expect(await tablesInUse()).toEqual(["listTallies", "users"]);
});

step(
  "W2: what was guessed at an account's address counts for ever, and so does a known browser that is used",
  async () => {
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
    expect(await tablesInUse()).toEqual(["knownDevices", "listTallies", "users"]);
  },
);

step("of each user the hundred sessions and known browsers that were last used stay", async () => {
  const world = { ...testContext(database), hasher: createCheapHasher() };
  const [crowded, neighbour] = [await addMember(world), await addMember(world)];
  const { clock, db } = world;
  const tokens = [crowded.token];
  for (let n = 1; n < limits.sessionsByUser + 3; n += 1) {
    clock.advance(1_000);
    tokens.push((await beginAgain(world, crowded.user)).token);
    const device = { userId: crowded.user.id, now: clock.now() };
    await insertDevice(db, { ...device, tokenHash: `${n} of ${crowded.user.id}` });
  }
  await insertDevice(db, { tokenHash: "theirs", userId: neighbour.user.id, now: clock.now() });
  // The oldest is in use.
  const later = new Date(clock.now().getTime() + 1);
  await touchSessions(db, [
    {
      tokenHash: hashToken(tokens[0] ?? ""),
      lastUsedAt: later,
      expiresAt: new Date(later.getTime() + limits.sessionMs),
    },
  ]);
  expect(await listSessions(db, sessionsOf(world, crowded.user))).toHaveLength(limits.sessionsByUser);

  await sweepExpired(world);
  const alive = await Promise.all(tokens.map((token) => findSession(db, hashToken(token))));
  const gone = alive.flatMap((session, at) => (session === null ? [at] : []));
  expect(gone).toEqual([1, 2, 3]);
  expect(await findSession(db, hashToken(neighbour.token))).not.toBeNull();
  const devices = (await db.select().from(knownDevices)).map(({ tokenHash }) => tokenHash);
  const left = devices.filter((hash) => hash.endsWith(crowded.user.id));
  expect(left).toHaveLength(limits.devicesByUser);
  for (const n of [1, 2]) expect(left).not.toContain(`${n} of ${crowded.user.id}`);
  expect(devices).toContain("theirs");
  expect(world.published).toEqual([{ type: "sessions-ended", userId: crowded.user.id }]);
  world.published.length = 0;
  await sweepExpired(world);
  expect(world.published).toEqual([]);
});
