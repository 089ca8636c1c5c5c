import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { sessions } from "#api/db/schema.ts";
import { changePassword } from "#api/modules/account/change-password.ts";
import { login } from "#api/modules/auth/index.ts";
import { forgotPassword, resetPassword } from "#api/modules/auth/password-reset.ts";
import { touchSessions } from "#api/modules/sessions/index.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import { limits } from "#contract/limits.ts";
import { endSessions } from "./change-users.ts";
import { getUser, listUsers } from "./list-users.ts";

const database = await databaseForFile();

/** Someone who has just signed in, and when the admins see that they were last seen. */
const member = async () => {
  const ctx = testContext({ ...database, actor: { kind: "operator" } });
  const person = newPerson();
  const { id } = await addUser(ctx, person);
  const seen = async () => {
    const { lastSeenAt } = await getUser(ctx, { user: id });
    const listed = await listUsers(ctx, { limit: 1, offset: 0, search: person.email });
    expect(listed.users[0]?.lastSeenAt).toBe(lastSeenAt);
    return lastSeenAt;
  };
  expect(await seen()).toBeNull();
  const { token, user } = await login(ctx, person);
  const tokenHash = hashToken(token);
  return {
    ctx,
    person,
    id,
    seen,
    tokenHash,
    own: ctx.as(sessionActor(user, { sessionHash: tokenHash })),
  };
};

const at = ({ clock }: TestContext) => clock.now().toISOString();

test("a user stays last seen when they signed in after all their sessions were ended", async () => {
  const { ctx, id, seen } = await member();
  const signedIn = at(ctx);
  ctx.clock.advance(120_000);
  expect(await endSessions(ctx, { user: id })).toEqual({ ended: 1 });
  expect(await seen()).toBe(signedIn);
});

test("a user stays last seen after a reset, which ends sessions and forgets browsers", async () => {
  const { ctx, person, seen } = await member();
  const signedIn = at(ctx);
  ctx.clock.advance(120_000);
  await forgotPassword(ctx, { email: person.email });
  await resetPassword(ctx, { token: tokenIn(ctx.mails.at(-1)), password: "another-fine-password" });
  expect(await seen()).toBe(signedIn);
});

test("a user who changes their password is seen at that", async () => {
  const { ctx, own, person, seen } = await member();
  ctx.clock.advance(120_000);
  const { password: currentPassword } = person;
  await changePassword(own, { currentPassword, newPassword: "another-fine-password", deviceToken: null });
  expect(await seen()).toBe(at(ctx));
});

test("a user whose session is used is seen at that, by a clock that is behind never earlier", async () => {
  const { ctx, id, seen, tokenHash } = await member();
  ctx.clock.advance(limits.sessionTouchMs);
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + limits.sessionMs);
  await touchSessions(database.db, [{ tokenHash, lastUsedAt: now, expiresAt }]);
  expect(await seen()).toBe(now.toISOString());
  await touchSessions(database.db, [{ tokenHash, lastUsedAt: new Date(now.getTime() - 5_000), expiresAt }]);
  expect(await seen()).toBe(now.toISOString());
  await database.db.delete(sessions).where(eq(sessions.userId, id));
  await touchSessions(database.db, [{ tokenHash, lastUsedAt: new Date(now.getTime() + 5_000), expiresAt }]);
  expect(await seen()).toBe(now.toISOString());
});

test("simultaneous uses and ends of one user's sessions don't block each other", async () => {
  const { ctx, id, person } = await member();
  for (let round = 0; round < 10; round += 1) {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => login(ctx, person)));
    const now = ctx.clock.now();
    await Promise.all([
      ...tokens.map(({ token }) =>
        touchSessions(database.db, [{ tokenHash: hashToken(token), lastUsedAt: now, expiresAt: now }]),
      ),
      endSessions(ctx, { user: id }),
      ...tokens.map(({ token }) =>
        touchSessions(database.db, [{ tokenHash: hashToken(token), lastUsedAt: now, expiresAt: now }]),
      ),
    ]);
    expect((await getUser(ctx, { user: id })).sessionCount).toBe(0);
  }
});
