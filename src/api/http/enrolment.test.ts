import { beforeEach, describe, expect, test } from "bun:test";
import { accessMatrix } from "#api/testing/access-matrix.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { signInAgain } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { operatorClient } from "#api/testing/host.ts";
import { readStream } from "#api/testing/live-stream.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { factorTexts } from "#contract/auth-texts.ts";
import type { AccountSettings } from "#contract/core-settings.ts";
import { mcpPath } from "#contract/mcp.ts";

const settings = createFixedSettings();
const usual = settings.current.accounts;
const host = await hostForFile({ hasher: createCheapHasher(), settings });
const require = (change: Partial<AccountSettings>) => settings.setAccounts({ ...usual, ...change });
beforeEach(() => require({}));

const dayMs = 24 * 60 * 60 * 1000;

/** What someone can reach who has to set up a second factor first, besides what is public. */
const open = [
  "GET /api/auth/user",
  "GET /api/account/session",
  "POST /api/account/confirm",
  "DELETE /api/account/confirm",
  "GET /api/account/second-factors",
  "POST /api/account/totp",
  "POST /api/account/totp/verify",
  "POST /api/account/totp/enable",
  "DELETE /api/account/totp",
  "POST /api/account/recovery-codes",
  "POST /api/account/confirm/ceremony",
  "POST /api/account/confirm/provider",
  "GET /api/account/passkeys",
  "POST /api/account/passkeys/ceremony",
  "POST /api/account/passkeys",
  "PATCH /api/account/passkeys/:id",
  "DELETE /api/account/passkeys/:id",
];

const codeOf = async (answer: Response): Promise<string> =>
  answer.headers.get("content-type")?.startsWith("application/json") ? (await answer.json()).code : "";
const accessOf = (name: string) =>
  host.app.routes.all.find(({ method, template }) => `${method} ${template}` === name)?.access;

/** The routes that refuse someone for want of a second factor. */
const refusedTo = async (client: TestClient, names: string[]) => {
  const codes = await Promise.all(
    names.map(async (name) => {
      const [method = "", template = ""] = name.split(" ");
      const { path = template, body } = accessMatrix[name] ?? {};
      return [name, await codeOf(await client.call(method, path, body))] as const;
    }),
  );
  return codes.flatMap(([name, code]) => (code === "ENROLMENT_REQUIRED" ? [name] : [])).sort();
};

const routesOf = (...access: (string | undefined)[]) =>
  Object.keys(accessMatrix)
    .filter((name) => access.includes(accessOf(name)))
    .sort();
// No session is read where only API tokens may call.
const elsewhere = [...open, `POST ${mcpPath}`];
const closed = (...access: string[]) => routesOf(...access).filter((name) => !elsewhere.includes(name));

const factorOf = async (client: TestClient) =>
  (await (await client.call("GET", "/api/account/second-factors")).json()).data;
const requiredBy = async (client: TestClient) => {
  const { data } = await (await client.call("GET", "/api/account/session")).json();
  return data.factorRequiredBy;
};
const inMs = (ms: number) => new Date(host.clock.now().getTime() + ms).toISOString();

describe("someone who has to set up a second factor, and has not in time", () => {
  for (const [role, ...access] of [
    ["admin", "user", "admin"],
    ["user", "user"],
  ] as const)
    test(`reaches only what that takes and what is public (${role}), and changes nothing else`, async () => {
      const client = await host.signedIn(role);
      require({ secondFactor: "everyone", graceDays: 0 });
      await host.services.activity.settle();
      const before = await fingerprintOf(host.db);
      expect(await refusedTo(client, closed(...access))).toEqual(closed(...access));
      expect(await fingerprintOf(host.db)).toEqual(before);
      expect(await refusedTo(client, open)).toEqual([]);
      const ends = routesOf("public").filter((name) => !/logout|setup/.test(name));
      expect(await refusedTo(client, ends)).toEqual([]);
    });

  test("reaches everything once they have", async () => {
    require({ secondFactor: "everyone", graceDays: 0 });
    const client = await host.signedIn("user");
    expect(await codeOf(await client.call("GET", "/api/account"))).toBe("ENROLMENT_REQUIRED");
    await enableFactor(host, client);
    expect((await client.call("GET", "/api/account")).status).toBe(200);
  });

  test("has API tokens that rest until then, and that say why; the operator's don't", async () => {
    const admin = await host.signedIn("admin");
    const token = await newTokenClient(host, { owner: admin.user, scopes: ["users:read"] });
    const operators = await newTokenClient(host, { scopes: ["users:read"] });
    const list = () => token.call("GET", "/api/admin/users");
    expect((await list()).status).toBe(200);
    require({ secondFactor: "admins", graceDays: 0 });
    const answer = await list();
    const { code, message } = await answer.json();
    expect([answer.status, code, message]).toEqual([403, "ENROLMENT_REQUIRED", tokenTexts.ownerOverdue]);
    expect((await operators.call("GET", "/api/admin/users")).status).toBe(200);
    await enableFactor(host, admin);
    expect((await list()).status).toBe(200);
  });

  test("has no live stream any more", async () => {
    const admin = await host.signedIn("admin");
    const stream = readStream(await admin.call("GET", "/api/admin/activity/stream"));
    require({ secondFactor: "admins", graceDays: 0 });
    host.services.events.publish({ type: "user-changed", userId: admin.user?.id ?? "" });
    await stream.ended();
  });
});

describe("the time to set up a second factor", () => {
  test("is the days that are set, from the account's beginning on, for those of whom one is required", async () => {
    const [admin, user] = [await host.signedIn("admin"), await host.signedIn("user")];
    require({ secondFactor: "admins", graceDays: 1 });
    expect([await requiredBy(admin), await requiredBy(user)]).toEqual([inMs(dayMs), null]);
    host.clock.advance(dayMs - 1);
    expect((await admin.call("GET", "/api/admin")).status).toBe(200);
    host.clock.advance(1);
    expect(await codeOf(await admin.call("GET", "/api/admin"))).toBe("ENROLMENT_REQUIRED");
    require({ secondFactor: "optional", graceDays: 1 });
    expect([await requiredBy(admin), (await admin.call("GET", "/api/admin")).status]).toEqual([null, 200]);
  });

  test("begins again with the role of an admin, and with a reset: an admin then has an hour", async () => {
    const [admin, member, becoming] = [
      await host.signedIn("admin"),
      await host.signedIn("user"),
      await host.signedIn("user"),
    ];
    for (const client of [admin, member]) await enableFactor(host, client);
    require({ secondFactor: "everyone", graceDays: 7 });
    host.clock.advance(30 * dayMs);
    const operate = (method: string, path: string, body?: object) =>
      operatorClient(host).call(method, `/api/admin/users/${path}`, body);
    for (const { user } of [admin, member]) await operate("POST", `${user?.id}/second-factor/reset`);
    await operate("PUT", `${becoming.user?.id}/role`, { role: "admin" });
    const due = async (client: TestClient) => requiredBy(await signInAgain(host, client));
    expect([await due(admin), await due(member), await due(becoming)]).toEqual([
      ...[inMs(60 * 60 * 1000), inMs(7 * dayMs), inMs(7 * dayMs)],
    ]);
  });
});

test("a second factor that is required can't be removed", async () => {
  const client = await host.signedIn("user");
  await enableFactor(host, client);
  require({ secondFactor: "everyone" });
  expect(await codeOf(await client.call("DELETE", "/api/account/totp"))).toBe("LAST_SECOND_FACTOR");
  expect((await factorOf(client)).totp).not.toBeNull();
  require({ secondFactor: "admins" });
  expect((await client.call("DELETE", "/api/account/totp")).status).toBe(200);
});

test("where it is off, only those who have a second factor keep it, and may replace it", async () => {
  const [without, having] = [await host.signedIn("user"), await host.signedIn("user")];
  await enableFactor(host, having);
  require({ secondFactor: "off" });
  const answer = await without.call("POST", "/api/account/totp", {});
  expect([answer.status, (await answer.json()).message]).toEqual([409, factorTexts.notOffered]);
  expect([(await factorOf(without)).isOffered, (await factorOf(having)).isOffered]).toEqual([false, true]);
  expect((await having.call("POST", "/api/account/totp", {})).status).toBe(200);
});
