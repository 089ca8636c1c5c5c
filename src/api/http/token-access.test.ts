import { describe, expect, test } from "bun:test";
import { accessMatrix } from "#api/testing/access-matrix.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { workingConnectionTests } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { newTokenClient, type TokenClient } from "#api/testing/token-client.ts";
import { tokenMatrix } from "#api/testing/token-matrix.ts";
import { allows, type TokenScope, tokenScopes, tokenTexts } from "#contract/api-tokens.ts";

const clients = new Map<string, Promise<TokenClient>>();
const host = await hostForFile({ hasher: createCheapHasher(), connectionTests: workingConnectionTests });

/** One for each set of scopes, used before: then a further use leaves nothing behind. */
const clientWith = (scopes: TokenScope[]): Promise<TokenClient> => {
  const key = scopes.join();
  const known = clients.get(key);
  if (known !== undefined) return known;
  const made = newTokenClient(host, { scopes }).then(async (client) => {
    expect((await client.call("GET", "/api/system/info")).status).toBe(200);
    return client;
  });
  clients.set(key, made);
  return made;
};

let calls = 0;
let revoked: Promise<TokenClient> | undefined;
const revokedClient = (): Promise<TokenClient> => {
  revoked ??= newTokenClient(host).then(async (client) => {
    const path = `/api/admin/tokens/${client.made.id}/revoke`;
    expect((await client.call("POST", path, {})).status).toBe(200);
    return client;
  });
  return revoked;
};

/** All scopes together that do not reach. */
const scopesWithout = (needed: TokenScope): TokenScope[] =>
  tokenScopes.filter((scope) => !allows([scope], needed));

/** What a token gets that may make the call: of people none has a token with them. */
const statusForTokens = (route: string): number =>
  ["GET /api/admin/tokens/current", "POST /mcp"].includes(route)
    ? 200
    : (accessMatrix[route]?.statuses.admin ?? 0);

const isForAdmins = (route: string): boolean => {
  const { user, admin } = accessMatrix[route]?.statuses ?? {};
  return user === 403 && admin !== 403;
};

test("every route for admins is in the table of scopes, and no other", () => {
  expect([...tokenMatrix.keys()].sort()).toEqual(Object.keys(accessMatrix).filter(isForAdmins).sort());
});

describe("Z2: what API tokens may call", () => {
  for (const [route, row] of Object.entries(accessMatrix)) {
    const [method = "", template = ""] = route.split(" ");
    const needed = tokenMatrix.get(route);
    const statusOf = async (client: TokenClient): Promise<number> =>
      (await client.call(method, row.path, row.body)).status;

    if (needed === "none")
      test(`${route} is refused to every token, which changes nothing`, async () => {
        const client = await clientWith(["*"]);
        await host.services.activity.settle();
        const before = await fingerprintOf(host.db);
        const answer = await client.call(method, row.path, row.body);
        expect([answer.status, (await answer.json()).code]).toEqual([403, "SESSION_REQUIRED"]);
        expect(await fingerprintOf(host.db)).toEqual(before);
      });

    if (needed !== undefined && needed !== "none")
      test(`${route} is let through with ${needed}, as for an admin`, async () => {
        const scopes: TokenScope[] = needed === "any" ? ["users:read"] : [needed];
        expect(await statusOf(await clientWith(scopes))).toBe(statusForTokens(route));
        expect(await statusOf(await clientWith(["*"]))).toBe(statusForTokens(route));
      });

    if (needed !== undefined && needed !== "any" && needed !== "none")
      test(`${route} is refused without ${needed}, which changes nothing`, async () => {
        const others = await clientWith(scopesWithout(needed));
        const reader = needed.endsWith(":write")
          ? [await clientWith([needed.replace("write", "read") as TokenScope])]
          : [];
        await host.services.activity.settle();
        const before = await fingerprintOf(host.db);
        for (const client of [others, ...reader]) {
          const answer = await client.call(method, row.path, row.body);
          expect(answer.status).toBe(403);
          expect(answer.headers.get("www-authenticate")).toContain(`scope="${needed}"`);
        }
        expect(await fingerprintOf(host.db)).toEqual(before);
      });

    if (needed === undefined && row.statuses.anonymous !== row.statuses.user)
      test(`${route} is only for users: no token can use it`, async () => {
        const client = await clientWith(["*"]);
        await host.services.activity.settle();
        const before = await fingerprintOf(host.db);
        const answer = await client.call(method, row.path, row.body);
        expect([answer.status, (await answer.json()).message]).toEqual([403, tokenTexts.notForTokens]);
        expect(await fingerprintOf(host.db)).toEqual(before);
      });

    if (needed === undefined && row.statuses.anonymous === row.statuses.user)
      test(`${route} is open to everyone, also with a token`, async () => {
        expect(await statusOf(await clientWith(["users:read"]))).toBe(row.statuses.anonymous);
      });

    test(`${route} is refused with a token that was revoked`, async () => {
      const client = await revokedClient();
      const found = host.app.routes.all.find((one) => one.method === method && one.template === template);
      const isAskedOfNobody =
        found?.isShared || /^\/(?:api\/(?:health|ready|metrics)|swagger\/json)$/.test(template);
      // Wrong tokens are counted by network.
      calls += 1;
      const answer = await client.call(method, row.path, row.body, { peer: `10.0.0.${calls}` });
      expect(answer.status).toBe(isAskedOfNobody ? row.statuses.anonymous : 401);
    });
  }
});
