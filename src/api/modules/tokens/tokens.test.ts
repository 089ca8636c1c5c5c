import { describe, expect, test } from "bun:test";
import type { Database } from "#api/core/database.ts";
import { hashToken } from "#api/core/ids.ts";
import { apiTokens } from "#api/db/schema.ts";
import { endSession } from "#api/modules/sessions/index.ts";
import { addMember } from "#api/testing/add-member.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { stayProven } from "#api/testing/stay-proven.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { until } from "#api/testing/until.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { createToken } from "./change-tokens.ts";
import type { ApiToken } from "./contract.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
await stayProven(host, admin);

const path = "/api/admin/tokens";
const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number): string => new Date(host.clock.now().getTime() + days * dayMs).toISOString();
let names = 0;
const newName = (): string => {
  names += 1;
  return `made ${names}`;
};
/** A new token, by an admin who has a password. */
const wanted = (more: object = {}) => ({
  name: newName(),
  scopes: ["plugins:read"],
  password: testPassword,
  ...more,
});
const make = (more: object = {}, client: Pick<TestClient, "call"> = admin) =>
  client.call("POST", path, wanted(more));
const made = async (more: object = {}): Promise<ApiToken & { token: string }> => {
  const answer = await make(more);
  expect(answer.status).toBe(201);
  return (await answer.json()).data;
};
const listed = async (): Promise<ApiToken[]> => (await (await admin.call("GET", path)).json()).data.tokens;
const outcomeOf = async (answer: Response) => {
  const { code, message, errors } = await answer.json();
  return { status: answer.status, code, message, errors };
};

describe("a new token", () => {
  test("A4: is shown once, with its terms, and afterwards nowhere", async () => {
    const terms = {
      ...{ scopes: ["plugins:read", "users:write"], expiresAt: inDays(7) },
      ...{ allowedNetworks: ["203.0.113.0/24"], callsPerMinute: 60 },
    };
    const { token, ...shown } = await made({ name: "  ci  ", ...terms });
    expect(token).toMatch(/^atr_[0-9A-Za-z]{49}$/);
    expect(shown).toMatchObject({
      ...terms,
      ...{ name: "ci", hint: token.slice(-4), state: "live", lastUsedAt: null, revokedAt: null },
      owner: { id: admin.user?.id, isActive: true },
    });
    expect((await listed()).find(({ id }) => id === shown.id)).toEqual(shown);
    await host.services.activity.settle();
    const secret = token.slice(4, 40);
    expect((await contentsOf(host.db)).join("\n")).not.toContain(secret);
    expect(JSON.stringify(host.logs)).not.toContain(secret);
  });

  test("that is asked for five times at the same time under one name is made once", async () => {
    const name = newName();
    const answers = await Promise.all(Array.from({ length: 5 }, () => make({ name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test("lasts 90 days unless it is to last longer, shorter or for ever", async () => {
    expect((await made()).expiresAt).toBe(inDays(90));
    expect((await made({ expiresAt: null })).expiresAt).toBeNull();
    expect((await made({ expiresAt: inDays(3_650) })).expiresAt).toBe(inDays(3_650));
  });

  test("has each scope once, and none that another includes", async () => {
    expect((await made({ scopes: ["users:read", "plugins:write", "plugins:read"] })).scopes).toEqual([
      "plugins:write",
      "users:read",
    ]);
    expect((await made({ scopes: ["plugins:write", "*"] })).scopes).toEqual(["*"]);
  });

  test.each<[string, object, string, string]>([
    ["an empty name", { name: " " }, "name", tokenTexts.badName],
    ["a long name", { name: "x".repeat(61) }, "name", tokenTexts.badName],
    ["a name that turns text around", { name: "ci\u202eevil" }, "name", tokenTexts.badName],
    ["no scope", { scopes: [] }, "scopes", tokenTexts.badScopes],
    ["a scope that is none", { scopes: ["plugins"] }, "scopes.0", tokenTexts.badScopes],
    [
      "a network that is none",
      { allowedNetworks: ["10.0.0.0/33"] },
      "allowedNetworks.0",
      tokenTexts.badNetwork,
    ],
    [
      "21 networks",
      { allowedNetworks: Array(21).fill("::1") },
      "allowedNetworks",
      tokenTexts.tooManyNetworks,
    ],
    ["no calls at all", { callsPerMinute: 0 }, "callsPerMinute", tokenTexts.badCalls],
    ["half a call", { callsPerMinute: 1.5 }, "callsPerMinute", tokenTexts.badCalls],
    ["a moment that has passed", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt", tokenTexts.expiryPast],
    ["a moment too far away", { expiresAt: "9999-01-01T00:00:00Z" }, "expiresAt", tokenTexts.expiryFar],
    ["no moment", { expiresAt: "soon" }, "expiresAt", tokenTexts.badExpiry],
  ])("is not made with %s", async (_, more, field, message) => {
    const before = withoutLog(await contentsOf(host.db));
    expect(await outcomeOf(await make(more))).toMatchObject({
      status: 422,
      errors: [{ path: field, message }],
    });
    expect(withoutLog(await contentsOf(host.db))).toEqual(before);
  });

  test("has a name of its own among those that can be used, in any case", async () => {
    const { id } = await made({ name: "Deploy" });
    expect(await outcomeOf(await make({ name: "dEPLOY" }))).toMatchObject({
      ...{ status: 409, code: "CONFLICT", message: tokenTexts.nameTaken },
    });
    await admin.call("POST", `${path}/${id}/revoke`, { password: testPassword });
    await made({ name: "deploy", expiresAt: inDays(1) });
    expect((await make({ name: "deploy" })).status).toBe(409);
    host.clock.advance(dayMs);
    await made({ name: "deploy" });
  });
});

describe("who makes, changes or revokes a token", () => {
  const actions = async (): Promise<[string, string, object][]> => {
    const one = `${path}/${(await made()).id}`;
    return [
      ["POST", path, { name: newName(), scopes: ["users:read"] }],
      ["PATCH", one, { name: newName() }],
      ["POST", `${one}/revoke`, {}],
    ];
  };

  test("has signed in within ten minutes, or gives the password", async () => {
    const person = await host.signedIn("admin");
    host.clock.advance(10 * 60 * 1000);
    for (const [method, at, body] of await actions()) {
      expect(await outcomeOf(await person.call(method, at, body))).toMatchObject({
        ...{ status: 403, code: "REAUTHENTICATION_REQUIRED", message: accountTexts.passwordWanted },
      });
      const wrong = await person.call(method, at, { ...body, password: "not the password" });
      expect(await outcomeOf(wrong)).toMatchObject({ status: 422, errors: [{ path: "password" }] });
      const right = await person.call(method, at, { ...body, password: testPassword });
      expect(right.ok).toBe(true);
    }
    const fresh = await host.signedIn("admin");
    for (const [method, at, body] of await actions())
      expect((await fresh.call(method, at, body)).ok).toBe(true);
  });

  test("T6: is no token, whatever it may do; it can revoke one", async () => {
    const client = await newTokenClient(host, { scopes: ["*"] });
    for (const [method, at, body] of (await actions()).slice(0, 2))
      expect(await outcomeOf(await client.call(method, at, body))).toMatchObject({
        ...{ status: 403, code: "SESSION_REQUIRED" },
      });
    const { id } = await made();
    expect((await client.call("POST", `${path}/${id}/revoke`, {})).status).toBe(200);
  });
});

describe("a token that is there", () => {
  test("gets another name, other networks and another limit; what is left out stays", async () => {
    const { id, token: _, ...before } = await made({ callsPerMinute: 5 });
    const name = newName();
    const change = { name, allowedNetworks: ["2001:db8::/32"], password: testPassword };
    const answer = await admin.call("PATCH", `${path}/${id}`, change);
    const after = { ...before, id, name, allowedNetworks: ["2001:db8::/32"] };
    expect((await answer.json()).data).toEqual(after);
    expect(await listed()).toContainEqual(after);
  });

  test("keeps its scopes and its end", async () => {
    const { id } = await made();
    for (const field of [{ scopes: ["*"] }, { expiresAt: null }])
      expect((await admin.call("PATCH", `${path}/${id}`, { ...field, password: testPassword })).status).toBe(
        422,
      );
  });

  test("is removed once it is dead, not before", async () => {
    const { id } = await made();
    const remove = () => admin.call("DELETE", `${path}/${id}`);
    expect(await outcomeOf(await remove())).toMatchObject({ status: 409, message: tokenTexts.removeLive });
    const revoke = () => admin.call("POST", `${path}/${id}/revoke`, { password: testPassword });
    expect((await (await revoke()).json()).data).toMatchObject({ state: "revoked" });
    expect(await outcomeOf(await revoke())).toMatchObject({ status: 409, message: tokenTexts.revokedBefore });
    const late = await admin.call("PATCH", `${path}/${id}`, { name: newName(), password: testPassword });
    expect(await outcomeOf(late)).toMatchObject({ status: 409, message: tokenTexts.changeDead });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect((await listed()).some((token) => token.id === id)).toBe(false);
  });

  test("tells its own caller what it may do, and no one else", async () => {
    const client = await newTokenClient(host, { scopes: ["users:read"], callsPerMinute: 50 });
    const { token: _, ...own } = client.made;
    const read = async () => (await (await client.call("GET", `${path}/current`)).json()).data;
    // No call waits until it is recorded.
    await until(async () => (await read()).lastUsedAt !== null);
    expect(await read()).toEqual({ ...own, lastUsedAt: expect.any(String), lastUsedIp: "127.0.0.1" });
    expect((await admin.call("GET", `${path}/current`)).status).toBe(404);
  });
});

test("there are at most 100 that can be used, and the oldest dead ones go when more than 400 are kept", async () => {
  await host.db.delete(apiTokens);
  const row = (at: number, revokedAt: Date | null) => ({
    ...{ id: Bun.randomUUIDv7(), name: `many ${at}`, tokenHash: `hash ${at}`, hint: "none", scopes: [] },
    ...{ allowedNetworks: [], createdAt: new Date(at), revokedAt },
  });
  const dead = Array.from({ length: 405 }, (_, at) => row(at, new Date(0)));
  const live = Array.from({ length: 99 }, (_, at) => row(1_000 + at, null));
  await host.db.insert(apiTokens).values([...dead, ...live]);
  await made();
  expect(await outcomeOf(await make())).toMatchObject({ status: 409, message: tokenTexts.tooMany });
  const kept = await listed();
  expect(kept.length).toBe(500);
  expect(kept.some(({ name }) => name === "many 4")).toBe(false);
  expect(kept.some(({ name }) => name === "many 5")).toBe(true);
  // Other tests find room for their tokens.
  await host.db.delete(apiTokens);
});

const database = await databaseForFile();

/** A database in which something happens right before each transaction. */
const meanwhile = (db: Database, act: () => Promise<unknown>): Database =>
  new Proxy(db, {
    get: (target, name) => {
      if (name !== "transaction") return Reflect.get(target, name, target);
      return async (run: (tx: Database) => Promise<unknown>) => {
        await act();
        return target.transaction(run);
      };
    },
  });

test("a token that is asked for in a session that ends meanwhile, as by a new password, is not made", async () => {
  const { ctx, token } = await addMember(testContext(database), "admin");
  const input = { name: "ci", scopes: ["*" as const] };
  const late = { ...ctx, db: meanwhile(ctx.db, () => endSession(database.db, hashToken(token))) };
  const refused = await createToken(late, input).catch((error) => error);
  expect(refused).toMatchObject({ kind: "NOT_SIGNED_IN" });
  expect(await database.db.select().from(apiTokens)).toEqual([]);
});
