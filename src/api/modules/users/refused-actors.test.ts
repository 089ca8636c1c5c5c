import { expect, test } from "bun:test";
import type { Context } from "#api/core/context.ts";
import { register } from "#api/modules/auth/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  sendReset,
  setRole,
} from "./change-users.ts";
import { countUsers, getUser, listPending, listUsers, removePending, verifyPending } from "./list-users.ts";

const database = await databaseForFile();
const ctx = testContext(database);

const operations: [name: string, run: (who: Context, user: string) => Promise<unknown>][] = [
  ["createUser", (who) => createUser(who, { ...newPerson(), role: "admin" })],
  ["listUsers", (who) => listUsers(who, { search: "", limit: 1, offset: 0 })],
  ["countUsers", (who) => countUsers(who)],
  ["getUser", (who, user) => getUser(who, { user })],
  ["setRole", (who, user) => setRole(who, { user, role: "admin" })],
  ["disableUser", (who, user) => disableUser(who, { user })],
  ["enableUser", (who, user) => enableUser(who, { user })],
  ["sendReset", (who, user) => sendReset(who, { user })],
  ["endSessions", (who, user) => endSessions(who, { user })],
  ["deleteUser", (who, user) => deleteUser(who, { user })],
  ["listPending", (who) => listPending(who, { search: "", limit: 1, offset: 0 })],
  ["verifyPending", (who, user) => verifyPending(who, { user })],
  ["removePending", (who, user) => removePending(who, { user })],
];

test.each(operations)("%s itself refuses a visitor and a user, and changes nothing", async (_name, run) => {
  const [target, waiting] = [await addUser(ctx, newPerson()), newPerson()];
  await register(ctx, waiting);
  const [before, mailed, hashed] = [await contentsOf(database.db), ctx.mails.length, ctx.hasher.computed];
  const asUser = ctx.as(sessionActor(target));
  for (const handle of [target.id, waiting.email, "nobody"]) {
    expect(await failureOf(run(ctx, handle))).toMatchObject({ kind: "NOT_SIGNED_IN" });
    expect(await failureOf(run(asUser, handle))).toMatchObject({ kind: "FORBIDDEN" });
  }
  expect(await contentsOf(database.db)).toEqual(before);
  expect(ctx.mails).toHaveLength(mailed);
  expect(ctx.hasher.computed).toBe(hashed);
  expect(ctx.published).toEqual([]);
});
