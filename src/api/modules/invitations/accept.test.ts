import { beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { passkeys, sessions, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { addPasskey, createSoftPasskey, type SoftPasskey } from "#api/testing/soft-passkey.ts";
import { authTexts, factorTexts, invitationTexts } from "#contract/auth-texts.ts";
import type { AccountSettings } from "#contract/core-settings.ts";
import { fieldTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import type { Role } from "#contract/users.ts";

const settings = createFixedSettings();
const usual = settings.current.accounts;
const host = await hostForFile({ hasher: createCheapHasher(), settings });
const set = (change: Partial<AccountSettings>) => settings.setAccounts({ ...usual, ...change });
beforeEach(() => set({ registration: "closed" }));

const name = "Ada Example";
const password = "correct-horse-battery";
const outcomeOf = async (call: Promise<Response>) => {
  const response = await call;
  return { status: response.status, ...(await response.json()) };
};

const invite = async (role: Role = "user", at: TestHost = host) => {
  const admin = await at.signedIn("admin");
  const { email } = newPerson();
  await admin.call("POST", "/api/admin/invitations", { invitations: [{ email, role }] });
  const token = tokenIn(at.mails.findLast(({ to }) => to === email));
  return { admin, email, token };
};
const path = (token: string) => `/api/auth/invitations/${token}`;
const check = (token: string) => outcomeOf(host.visitor().call("GET", path(token)));
const begin = (token: string, at = host) =>
  outcomeOf(at.visitor().call("POST", `/api/auth/passkey/ceremony/${token}`));
const accept = (token: string, body: object) =>
  outcomeOf(host.visitor().call("POST", path(token), { name, ...body }));
const madeFor = (begun: Awaited<ReturnType<typeof begin>>, passkey: SoftPasskey = createSoftPasskey()) => ({
  ...{ ceremony: begun.data.ceremony, response: passkey.create(begun.data.options) },
});
/** What is stored but the challenges, which each try uses up. */
const stored = async () =>
  withoutLog(await contentsOf(host.db)).filter((row) => !row.startsWith("ceremonies "));
const refused = (message: string = passkeyTexts.expired) => ({
  ...{ status: 403, code: "PASSKEY_REFUSED", message },
});

describe("an invitation that is accepted with a passkey", () => {
  test("makes an account without a password, with the passkey as its second factor, and a session that has given it", async () => {
    const { email, token } = await invite();
    expect((await check(token)).data.isPasskeyOffered).toBe(true);
    const passkey = createSoftPasskey();
    const begun = await begin(token);
    expect(begun.data.options.user).toMatchObject({ name: email, displayName: email });
    const response = await host
      .visitor()
      .call("POST", path(token), { name, ...madeFor(begun, passkey) }, { "user-agent": "" });
    const { user, recoveryCodes } = await response.json();
    expect([response.status, user.email, recoveryCodes.length]).toEqual([201, email, 10]);
    const [account] = await host.db.select().from(users).where(eq(users.id, user.id));
    const now = host.clock.now();
    expect(account).toMatchObject({ passwordHash: null, secondFactorAt: now, emailVerifiedAt: now });
    const [session] = await host.db.select().from(sessions).where(eq(sessions.userId, user.id));
    expect(session?.factorAt).toEqual(now);
    expect(host.mails.filter(({ to }) => to === email).at(-1)?.subject).toBe(
      "A passkey was added to your account",
    );
    expect(await accept(token, { password })).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
    // It opens the account from then on.
    const { data } = await outcomeOf(host.visitor().call("POST", "/api/auth/passkey/ceremony"));
    const given = { ceremony: data.ceremony, response: passkey.get(data.options) };
    const again = await outcomeOf(host.visitor().call("POST", "/api/auth/passkey", given));
    expect([again.status, again.user.id]).toEqual([200, user.id]);
  });

  test("is the account of one of many who try at the same time", async () => {
    const { email, token } = await invite();
    const tries = await Promise.all(Array.from({ length: 4 }, async () => madeFor(await begin(token))));
    const answers = await Promise.all(tries.map((made) => accept(token, made)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const [user] = await host.db.select().from(users).where(eq(users.email, email));
    expect(await host.db.$count(passkeys, eq(passkeys.userId, user?.id ?? ""))).toBe(1);
  });

  test("asks an authenticator at each try for the same user, who is another one for each link", async () => {
    const { token } = await invite();
    const handles = await Promise.all(
      [token, token, (await invite()).token].map(async (one) => (await begin(one)).data.options.user.id),
    );
    expect(handles[0]).toBe(handles[1]);
    expect(handles[0]).not.toBe(handles[2]);
    expect(Buffer.from(handles[0], "base64url")).toHaveLength(32);
  });
});

describe("nothing is created, and the link stays good, for", () => {
  const ofAccount = async (client: TestClient) =>
    outcomeOf(client.call("POST", "/api/account/passkeys/ceremony"));
  const tries: [string, (token: string) => Promise<{ body: object; refusal: object }>][] = [
    [
      "the challenge of another invitation",
      async () => ({ body: madeFor(await begin((await invite()).token)), refusal: refused() }),
    ],
    [
      "the challenge of an account",
      async () => ({ body: madeFor(await ofAccount(await host.signedIn("user"))), refusal: refused() }),
    ],
    [
      "a challenge that was used",
      async (token) => {
        const begun = await begin(token);
        const foreign = createSoftPasskey().create(begun.data.options, {
          origin: "https://elsewhere.example",
        });
        await accept(token, { ...madeFor(begun), response: foreign });
        return { body: madeFor(begun), refusal: refused() };
      },
    ],
    [
      "a challenge that has expired",
      async (token) => {
        const body = madeFor(await begin(token));
        host.clock.advance(limits.ceremonyMs);
        return { body, refusal: refused() };
      },
    ],
    [
      "a passkey of another site",
      async (token) => {
        const begun = await begin(token);
        const response = createSoftPasskey().create(begun.data.options, { rpId: "elsewhere.example" });
        return { body: { ...madeFor(begun), response }, refusal: { status: 403, code: "PASSKEY_REFUSED" } };
      },
    ],
    [
      "a passkey of an account",
      async (token) => {
        const { passkey } = await addPasskey(await host.signedIn("user"));
        return { body: madeFor(await begin(token), passkey), refusal: refused(passkeyTexts.known) };
      },
    ],
    [
      "a passkey and a password",
      async (token) => ({
        body: { ...madeFor(await begin(token)), password },
        refusal: { status: 422, errors: [{ path: "password", message: invitationTexts.oneWay }] },
      }),
    ],
    [
      "half a passkey and a password",
      async (token) => ({
        body: { ceremony: madeFor(await begin(token)).ceremony, password },
        refusal: { status: 422, errors: [{ path: "password", message: invitationTexts.oneWay }] },
      }),
    ],
    [
      "half a passkey",
      async (token) => ({
        body: { response: madeFor(await begin(token)).response },
        refusal: { status: 422, errors: [{ path: "ceremony", message: fieldTexts.required }] },
      }),
    ],
    [
      "neither",
      async () => ({
        body: {},
        refusal: { status: 422, errors: [{ path: "password", message: authTexts.passwordRequired }] },
      }),
    ],
  ];
  test.each(tries)("%s", async (_, prepare) => {
    const { token } = await invite();
    const { body, refusal } = await prepare(token);
    const before = await stored();
    expect(await accept(token, body)).toMatchObject(refusal);
    expect(await stored()).toEqual(before);
    expect((await accept(token, madeFor(await begin(token)))).status).toBe(201);
  });
});

test("a passkey that is made while the invitation is withdrawn, or the address gets an account, creates nothing", async () => {
  const invited = { status: 400, code: "TOKEN_INVALID" };
  const taken = { status: 409, code: "CONFLICT", message: authTexts.emailTaken };
  for (const [refusal, end] of [
    [invited, (admin: TestClient, email: string) => admin.call("DELETE", `/api/admin/invitations/${email}`)],
    [
      taken,
      (admin: TestClient, email: string) =>
        admin.call("POST", "/api/admin/users", { ...newPerson({ email }), role: "user" }),
    ],
  ] as const) {
    const { admin, email, token } = await invite();
    const made = madeFor(await begin(token));
    expect((await end(admin, email)).ok).toBe(true);
    const before = await stored();
    expect(await accept(token, made)).toMatchObject(refusal);
    expect(await stored()).toEqual(before);
    if (refusal === invited) expect(await begin(token)).toMatchObject(invited);
  }
});

test("no passkey is offered where second factors are off, or APP_URL allows none", async () => {
  const { token } = await invite();
  set({ secondFactor: "off" });
  expect((await check(token)).data.isPasskeyOffered).toBe(false);
  expect(await begin(token)).toMatchObject({ status: 409, message: factorTexts.notOffered });
  const elsewhere = await createTestHost({ hasher: createCheapHasher(), appUrl: "http://192.0.2.1:3000" });
  const there = await invite("user", elsewhere);
  const shown = await outcomeOf(elsewhere.visitor().call("GET", path(there.token)));
  expect(shown.data.isPasskeyOffered).toBe(false);
  expect(await begin(there.token, elsewhere)).toMatchObject({
    ...{ status: 409, message: passkeyTexts.notOffered },
  });
  await elsewhere.close();
});

test.each([
  ["optional", "admin", true],
  ["optional", "user", false],
  ["off", "admin", false],
  ["admins", "admin", false],
] as const)("with %s second factors, %s is led to set one up: %p", async (secondFactor, role, isLed) => {
  const { token } = await invite(role);
  set({ secondFactor });
  expect((await check(token)).data.suggestsSecondFactor).toBe(isLed);
});

describe("where a second factor is required of administrators, one who was invited", () => {
  const enter = async (body: (token: string) => Promise<object>, role: Role = "admin") => {
    const { token } = await invite(role);
    set({ secondFactor: "everyone", graceDays: 7 });
    const { needsSecondFactor } = (await check(token)).data;
    const answer = await host.visitor().call("POST", path(token), { name, ...(await body(token)) });
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const get = (at: string) => host.request(at, { headers: { cookie } });
    return { needsSecondFactor, get };
  };
  const codeOf = async (answer: Promise<Response>) => (await (await answer).json()).code;

  test("and chose a password sets one up before anything else, whatever the days of grace", async () => {
    const { needsSecondFactor, get } = await enter(async () => ({ password }));
    expect([needsSecondFactor, await codeOf(get("/api/admin"))]).toEqual([true, "ENROLMENT_REQUIRED"]);
    expect((await get("/api/account/second-factors")).status).toBe(200);
  });

  test("and made a passkey has nothing more to do; others have the days of grace", async () => {
    const admin = await enter(async (token) => madeFor(await begin(token)));
    expect((await admin.get("/api/admin")).status).toBe(200);
    const member = await enter(async () => ({ password }), "user");
    expect([member.needsSecondFactor, (await member.get("/api/account")).status]).toEqual([false, 200]);
  });
});
