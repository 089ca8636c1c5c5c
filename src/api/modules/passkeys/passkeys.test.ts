import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { ceremonies, passkeys, recoveryCodes, sessions, users } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, type TestClient } from "#api/testing/host.ts";
import { addPasskey, createSoftPasskey } from "#api/testing/soft-passkey.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import type { OwnPasskey } from "./contract.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const newRows = createActivityReader(host.services);

const path = "/api/account/passkeys";
const dataOf = async (call: Promise<Response>) => (await (await call).json()).data;
const listOf = async (client: TestClient) => (await dataOf(client.call("GET", path))).passkeys;
const factorsOf = (client: TestClient) => dataOf(client.call("GET", "/api/account/second-factors"));
const begin = (client: TestClient) => dataOf(client.call("POST", `${path}/ceremony`));
const outcomeOf = async (call: Promise<Response>) => {
  const answer = await call;
  const { code, message } = await answer.json();
  return [answer.status, code, message];
};
const expired = [403, "PASSKEY_REFUSED", passkeyTexts.expired];
const userIdOf = (client: TestClient) => client.user?.id ?? "";
const sinceOf = async (client: TestClient) =>
  (
    await host.db
      .select()
      .from(users)
      .where(eq(users.id, userIdOf(client)))
  )[0]?.secondFactorAt;

describe("a new passkey", () => {
  test("is listed, gives the session both proofs and the account recovery codes; email and log say so", async () => {
    const client = await host.signedIn("user");
    await newRows();
    const { id, passkey, recoveryCodes } = await addPasskey(client);
    expect(recoveryCodes).toHaveLength(10);
    const now = host.clock.now();
    expect(await listOf(client)).toEqual([
      {
        ...{
          id,
          credentialId: passkey.id,
          name: "Laptop",
          host: "localhost",
          worksHere: true,
          isSynced: true,
          isBlocked: false,
        },
        ...{ createdAt: now.toISOString(), lastUsedAt: null },
      },
    ]);
    expect(await factorsOf(client)).toMatchObject({ totp: null, passkeys: 1, recoveryCodesLeft: 10 });
    expect(await sinceOf(client)).toEqual(now);
    const [session] = await host.db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, userIdOf(client)));
    expect(session?.factorAt).toEqual(now);
    const mail = host.mails.at(-1);
    expect([mail?.to, mail?.subject]).toEqual([client.user?.email, "A passkey was added to your account"]);
    expect((await newRows()).map(({ action }) => action)).toContain("Added a passkey");
  });

  test("beside another factor leaves its recovery codes and its date", async () => {
    const client = await host.signedIn("user");
    await enableFactor(host, client);
    const since = await sinceOf(client);
    host.clock.advance(60_000);
    expect((await addPasskey(client)).recoveryCodes).toBeNull();
    const codes = await host.db
      .select()
      .from(recoveryCodes)
      .where(eq(recoveryCodes.userId, userIdOf(client)));
    expect(codes.map(({ createdAt }) => createdAt)).toEqual(Array(10).fill(since));
    expect(await sinceOf(client)).toEqual(since ?? null);
  });

  test("is made for this site and user, who is no one to the authenticator, and never twice by one authenticator", async () => {
    const client = await host.signedIn("user");
    const { passkey } = await addPasskey(client);
    const { options } = await begin(client);
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      excludeCredentials: [{ type: "public-key", id: passkey.id }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
    });
    const [stored] = await host.db.select().from(passkeys).where(eq(passkeys.credentialId, passkey.id));
    expect(options.user.id).toBe(stored?.userHandle);
    expect(Buffer.from(options.user.id, "base64url")).toHaveLength(32);
  });

  test("needs a challenge of the last five minutes, of the same user and purpose, and uses it up", async () => {
    const [client, other] = [await host.signedIn("user"), await host.signedIn("user")];
    const soft = createSoftPasskey();
    const add = (who: TestClient, begun: { ceremony: string; options: { challenge: string } }) =>
      outcomeOf(
        who.call("POST", path, { ceremony: begun.ceremony, name: "x", response: soft.create(begun.options) }),
      );
    const begun = await begin(client);
    expect(await add(other, begun)).toEqual(expired);
    const forConfirm = await dataOf(client.call("POST", "/api/account/confirm/ceremony"));
    expect(await add(client, forConfirm)).toEqual(expired);
    expect(await add(client, { ...begun, ceremony: "none" })).toEqual(expired);
    expect((await add(client, begun))[0]).toBe(201);
    expect(await add(client, begun)).toEqual(expired);
    const late = await begin(client);
    host.clock.advance(limits.ceremonyMs);
    expect(await add(client, late)).toEqual(expired);
    expect(await listOf(client)).toHaveLength(1);
  });

  test("is refused if the answer is not right, and that uses the challenge up, too", async () => {
    const client = await host.signedIn("user");
    const { ceremony, options } = await begin(client);
    const wrong = createSoftPasskey().create(options, { isVerified: false });
    const add = (response: object) => outcomeOf(client.call("POST", path, { ceremony, name: "x", response }));
    expect(await add(wrong)).toEqual([403, "PASSKEY_REFUSED", errorTexts.PASSKEY_REFUSED]);
    expect(await add(createSoftPasskey().create(options))).toEqual(expired);
  });

  test("belongs to one account", async () => {
    const { passkey } = await addPasskey(await host.signedIn("user"));
    const other = await host.signedIn("user");
    const { ceremony, options } = await begin(other);
    const body = { ceremony, name: "x", response: passkey.create(options) };
    expect(await outcomeOf(other.call("POST", path, body))).toEqual([
      403,
      "PASSKEY_REFUSED",
      passkeyTexts.known,
    ]);
    expect(await factorsOf(other)).toMatchObject({ totp: null, passkeys: 0, recoveryCodesLeft: 0 });
  });

  test("is one of twenty at most, however many are begun before", async () => {
    const client = await host.signedIn("user");
    await addPasskey(client);
    const spare = await begin(client);
    for (let count = 1; count < limits.passkeysByUser; count += 1) await addPasskey(client);
    const tooMany = [409, "CONFLICT", passkeyTexts.tooMany];
    expect(await outcomeOf(client.call("POST", `${path}/ceremony`))).toEqual(tooMany);
    const response = createSoftPasskey().create(spare.options);
    expect(
      await outcomeOf(client.call("POST", path, { ceremony: spare.ceremony, name: "x", response })),
    ).toEqual(tooMany);
  });
});

describe("an own passkey", () => {
  test("gets another name, and only its owner's", async () => {
    const [client, other] = [await host.signedIn("user"), await host.signedIn("user")];
    const { id } = await addPasskey(client);
    const rename = (who: TestClient, name: string) => who.call("PATCH", `${path}/${id}`, { name });
    expect((await rename(other, "Mine")).status).toBe(404);
    expect((await rename(client, " ")).status).toBe(422);
    expect((await rename(client, " Phone ")).status).toBe(200);
    expect((await listOf(client))[0].name).toBe("Phone");
  });

  test("is removed by its owner; with the last factor go the recovery codes, and that it was given", async () => {
    const [client, other] = [await host.signedIn("user"), await host.signedIn("user")];
    await addPasskey(other);
    const [first, second] = [await addPasskey(client), await addPasskey(client)];
    expect((await other.call("DELETE", `${path}/${first.id}`)).status).toBe(404);
    expect((await client.call("DELETE", `${path}/${first.id}`)).status).toBe(200);
    expect(await factorsOf(client)).toMatchObject({ totp: null, passkeys: 1, recoveryCodesLeft: 10 });
    expect((await client.call("DELETE", `${path}/${second.id}`)).status).toBe(200);
    expect(await factorsOf(client)).toMatchObject({ totp: null, passkeys: 0, recoveryCodesLeft: 0 });
    expect(await sinceOf(client)).toBeNull();
    const open = await host.db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, userIdOf(client)));
    expect(open.map(({ factorAt }) => factorAt)).toEqual([null]);
    expect(host.mails.at(-1)?.text).toContain("no longer takes a second step");
  });

  test("keeps the account protected when the authenticator app is removed", async () => {
    const client = await host.signedIn("user");
    await enableFactor(host, client);
    await addPasskey(client);
    expect((await client.call("DELETE", "/api/account/totp")).status).toBe(200);
    expect(await factorsOf(client)).toMatchObject({ totp: null, passkeys: 1, recoveryCodesLeft: 10 });
    expect(await sinceOf(client)).not.toBeNull();
    expect(host.mails.at(-1)?.subject).toBe("Your authenticator app was removed");
  });

  test("stays where nothing else opens the account, unless it is blocked", async () => {
    const client = await host.signedIn("user");
    const id = userIdOf(client);
    const { id: passkey } = await addPasskey(client);
    await host.db.update(users).set({ passwordHash: null }).where(eq(users.id, id));
    const remove = async () => (await client.call("DELETE", `/api/account/passkeys/${passkey}`)).json();
    expect((await remove()).code).toBe("LAST_SIGN_IN_METHOD");
    await host.db.update(passkeys).set({ suspectAt: host.clock.now() }).where(eq(passkeys.userId, id));
    expect((await remove()).success).toBe(true);
  });

  test("goes with a reset of the second factor by an admin", async () => {
    const [client, admin] = [await host.signedIn("user"), await host.signedIn("admin")];
    await addPasskey(client);
    const shown = await dataOf(admin.call("GET", `/api/admin/users/${userIdOf(client)}`));
    expect(shown.secondFactor.ways).toEqual(["passkey", "recovery"]);
    expect(
      (await admin.call("POST", `/api/admin/users/${userIdOf(client)}/second-factor/reset`)).status,
    ).toBe(200);
    expect(await host.db.$count(passkeys, eq(passkeys.userId, userIdOf(client)))).toBe(0);
  });
});

test("with PASSKEY_RP_ID passkeys of that host are made and used at APP_URL, and no others", async () => {
  const moved = await createTestHost({ hasher: createCheapHasher(), appUrl: "https://new.example" });
  const client = await moved.signedIn("user");
  const place = { origin: "https://new.example" };
  const add = async (rpId: string) => {
    const { ceremony, options } = await begin(client);
    const response = createSoftPasskey().create(options, { ...place, rpId });
    return outcomeOf(client.call("POST", path, { ceremony, name: rpId, response }));
  };
  expect((await add("new.example"))[0]).toBe(201);
  Object.assign(moved.services, { passkeyHost: "old.example" });
  expect((await begin(client)).options.rp.id).toBe("old.example");
  expect([(await add("old.example"))[0], (await add("new.example"))[0]]).toEqual([201, 403]);
  const shown = (await listOf(client)).map((one: OwnPasskey) => [one.host, one.worksHere]);
  expect(shown).toEqual([
    ["new.example", false],
    ["old.example", true],
  ]);
  await moved.close();
});

for (const appUrl of ["http://192.0.2.1:3000", "https://[2001:db8::1]", "http://atrium.example"])
  test(`passkeys are not offered at ${appUrl}`, async () => {
    const elsewhere = await createTestHost({ hasher: createCheapHasher(), appUrl });
    const client = await elsewhere.signedIn("user");
    expect(await dataOf(client.call("GET", path))).toMatchObject({ isOffered: false });
    const notOffered = [409, "CONFLICT", passkeyTexts.notOffered];
    for (const begin of [`${path}/ceremony`, "/api/account/confirm/ceremony", "/api/auth/passkey/ceremony"])
      expect(await outcomeOf(client.call("POST", begin))).toEqual(notOffered);
    expect(await elsewhere.db.$count(ceremonies)).toBe(0);
    await elsewhere.close();
  });
