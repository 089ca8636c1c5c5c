import { expect, test } from "bun:test";
import { hashToken } from "#api/core/ids.ts";
import { findSession } from "#api/modules/sessions/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import { currentUser, login, logout } from "./sign-in.ts";

const database = await databaseForFile();

const signedOut = { message: "Signed out" };

test("signing out ends this session, tells everyone, and leaves the other browser signed in", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await addUser(ctx, person);
  const here = await login(ctx, person);
  const there = await login(ctx, person);
  const sessionHash = hashToken(here.token);
  const answer = await logout(ctx.as(sessionActor(here.user, { sessionHash, at: ctx.clock.now() })));
  expect(answer).toEqual(signedOut);
  expect(await findSession(database.db, sessionHash)).toBeNull();
  expect(await findSession(database.db, hashToken(there.token))).not.toBeNull();
  expect(ctx.published).toEqual([{ type: "sessions-ended", userId: here.user.id }]);
});

test("signing out without a session, or twice, succeeds and changes nothing", async () => {
  const ctx = testContext(database);
  const user = await addUser(ctx, newPerson());
  const before = await contentsOf(database.db);
  for (const actor of [
    { kind: "visitor" as const },
    { kind: "operator" as const },
    sessionActor(user, { sessionHash: hashToken("ended") }),
  ]) {
    expect(await logout(ctx.as(actor))).toEqual(signedOut);
  }
  expect(await contentsOf(database.db)).toEqual(before);
  expect(ctx.published).toEqual([]);
});

test("the current user is the one behind the session, and no one for visitors and the operator", async () => {
  const ctx = testContext(database);
  const user = await addUser(ctx, newPerson());
  expect(currentUser(ctx.as(sessionActor(user)))).toEqual(user);
  expect(() => currentUser(ctx)).toThrow("Please sign in");
  expect(() => currentUser(ctx.as({ kind: "operator" }))).toThrow("Please sign in");
});
