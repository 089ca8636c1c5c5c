import { describe, expect, test } from "bun:test";
import { hashToken } from "#api/core/ids.ts";
import { findSession, touchSessions } from "#api/modules/sessions/index.ts";
import { addMember, beginAgain, type Member } from "#api/testing/add-member.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { limits } from "#contract/limits.ts";
import { endOtherSessions, endOwnSession, listOwnSessions } from "./operations.ts";

const database = await databaseForFile();

const isAlive = async (token: string) => (await findSession(database.db, hashToken(token))) !== null;
const otherSessionOf = async ({ ctx }: Pick<Member, "ctx">): Promise<string> => {
  const found = (await listOwnSessions(ctx)).find(({ isCurrent }) => !isCurrent);
  if (!found) throw new Error("there is only one session");
  return found.id;
};

describe("the list of the own sessions", () => {
  test("begins with the one that asks, continues with the last used, and says what each is", async () => {
    const world = testContext(database);
    const { ctx, user } = await addMember({ ...world, userAgent: null });
    const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1";
    const begin = (ip: string, userAgent: string) => beginAgain({ ...world, ip, userAgent }, user);
    const early = await begin("192.0.2.1", phone);
    await begin("192.0.2.2", "curl/8.0");
    const later = new Date(ctx.clock.now().getTime() + 60_000);
    await touchSessions(database.db, [
      {
        tokenHash: hashToken(early.token),
        lastUsedAt: later,
        expiresAt: new Date(later.getTime() + 1_000_000),
      },
    ]);
    const list = await listOwnSessions(ctx);
    expect(list.map(({ isCurrent, ip, device }) => ({ isCurrent, ip, device }))).toEqual([
      { isCurrent: true, ip: "127.0.0.1", device: "Unknown device" },
      { isCurrent: false, ip: "192.0.2.1", device: "Safari on iOS" },
      { isCurrent: false, ip: "192.0.2.2", device: "Unknown device" },
    ]);
    expect(list[1]).toMatchObject({ userAgent: phone, lastUsedAt: later.toISOString() });
  });

  test("holds no hash, no one else's, and none that has expired", async () => {
    const world = testContext(database);
    const { ctx, user, token } = await addMember(world);
    await addMember(world);
    ctx.clock.advance(limits.sessionMs - 1);
    await beginAgain(world, user);
    expect(await listOwnSessions(ctx)).toHaveLength(2);
    ctx.clock.advance(1);
    const left = await listOwnSessions(ctx);
    expect(left).toHaveLength(1);
    for (const secret of [token, hashToken(token)]) expect(JSON.stringify(left)).not.toContain(secret);
  });
});

describe("ending one of the own sessions", () => {
  test("A2: ends that very one", async () => {
    const world = testContext(database);
    const { ctx, user, token } = await addMember(world);
    const other = await beginAgain(world, user);
    const id = await otherSessionOf({ ctx });
    expect(await endOwnSession(ctx, { id })).toEqual({ isCurrent: false });
    expect([await isAlive(token), await isAlive(other.token)]).toEqual([true, false]);
    expect(ctx.published).toEqual([{ type: "sessions-ended", userId: user.id }]);
  });

  test("can end the one that asks, and says so", async () => {
    const { ctx, token } = await addMember(testContext(database));
    const [own] = await listOwnSessions(ctx);
    expect(await endOwnSession(ctx, { id: own?.id ?? "" })).toEqual({ isCurrent: true });
    expect(await isAlive(token)).toBe(false);
  });

  test("is refused for another's session, and for what is no id, and changes nothing", async () => {
    const world = testContext(database);
    const [{ ctx }, neighbour] = [await addMember(world), await addMember(world)];
    const [theirs] = await listOwnSessions(neighbour.ctx);
    const before = await contentsOf(database.db);
    for (const id of [theirs?.id ?? "", crypto.randomUUID(), "none", "' or true --", ""])
      expect(await failureOf(endOwnSession(ctx, { id }))).toMatchObject({ kind: "NOT_FOUND" });
    expect(await contentsOf(database.db)).toEqual(before);
    expect(ctx.published).toEqual([]);
  });
});

describe("ending all other sessions", () => {
  test("A2: leaves the current session and those of other users, and returns how many ended", async () => {
    const world = testContext(database);
    const [{ ctx, user, token }, neighbour] = [await addMember(world), await addMember(world)];
    const others = [await beginAgain(world, user), await beginAgain(world, user)];
    expect(await endOtherSessions(ctx)).toEqual({ ended: 2 });
    expect(await endOtherSessions(ctx)).toEqual({ ended: 0 });
    for (const other of others) expect(await isAlive(other.token)).toBe(false);
    expect([await isAlive(token), await isAlive(neighbour.token)]).toEqual([true, true]);
    expect(ctx.published).toContainEqual({ type: "sessions-ended", userId: user.id });
  });

  test("from five browsers at the same time leaves exactly one signed in", async () => {
    const world = testContext(database);
    const { ctx, user, token } = await addMember(world);
    const more = await Promise.all([1, 2, 3, 4].map(() => beginAgain(world, user)));
    const all = [{ ctx, token }, ...more];
    const outcomes = await Promise.allSettled(all.map((session) => endOtherSessions(session.ctx)));
    const alive = await Promise.all(all.map((session) => isAlive(session.token)));
    expect(alive).toEqual(outcomes.map(({ status }) => status === "fulfilled"));
    expect(alive.filter(Boolean)).toHaveLength(1);
  });

  test("is refused once the session that asks has ended, and changes nothing", async () => {
    const world = testContext(database);
    const { ctx, user } = await addMember(world);
    const other = await beginAgain(world, user);
    await endOtherSessions(other.ctx);
    const before = await contentsOf(database.db);
    expect(await failureOf(endOtherSessions(ctx))).toMatchObject({ kind: "NOT_SIGNED_IN" });
    expect(await contentsOf(database.db)).toEqual(before);
  });
});
