import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { hashToken } from "#api/core/ids.ts";
import { ceremonies, passkeys, sessions, signInFailures, totpSecrets, users } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { type Authenticator, enableFactor } from "#api/testing/authenticator.ts";
import { cookiesOf, withCookieOf } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, type TestClient, testPassword } from "#api/testing/host.ts";
import {
  type AnswerFacts,
  addPasskey,
  createSoftPasskey,
  type SoftPasskey,
} from "#api/testing/soft-passkey.ts";
import { accountTexts, authTexts } from "#contract/auth-texts.ts";
import { accountSettings } from "#contract/core-settings.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { passkeyTexts } from "#contract/passkeys.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const newRows = createActivityReader(host.services);

type Owner = Authenticator & { client: TestClient; email: string; userId: string };

const newOwner = async (): Promise<Owner> => {
  const client = await host.signedIn("user");
  const { id: userId = "", email = "" } = client.user ?? {};
  return { client, email, userId, ...(await enableFactor(host, client)) };
};

/** The cookies that an answer leaves in a browser, in the form in which it sends them. */
const jarOf = (answer: Response, jar = ""): string =>
  [...jar.split("; ").filter(Boolean), ...cookiesOf(answer).map((set) => set.split(";")[0] ?? "")].join("; ");
const namesIn = (jar: string): string[] => jar.split("; ").map((pair) => pair.split("=")[0] ?? "");
/** When the session of these cookies was last confirmed, and when with a second factor. */
const proofsOf = async (jar: string) => {
  const tokenHash = hashToken(/sid=([\w-]+)/.exec(jar)?.[1] ?? "");
  const [session] = await host.db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash));
  return [session?.confirmedAt, session?.factorAt];
};

const login = (email: string, password = testPassword, cookie = "") =>
  host.visitor().call("POST", "/api/auth/login", { email, password }, { cookie });
const finish = (jar: string, body: object) =>
  host.visitor().call("POST", "/api/auth/login/factor", body, { cookie: jar });
const outcomeOf = async (answer: Response) => {
  const { code, message, data } = await answer.json();
  return { status: answer.status, code, message, ...(data && { data }) };
};
const invalid = { status: 401, code: "CODE_INVALID", message: errorTexts.CODE_INVALID };
const over = { status: 401, code: "NOT_SIGNED_IN", message: authTexts.stepOver };
const halfway = async ({ email }: Owner) => jarOf(await login(email));

describe("the right password of an account with a second factor", () => {
  test("A9: begins no session, and says in which ways to continue", async () => {
    const owner = await newOwner();
    await host.services.activity.settle();
    const before = await fingerprintOf(host.db);
    const answer = await login(owner.email);
    expect(namesIn(jarOf(answer))).toEqual(["step"]);
    expect(cookiesOf(answer)[0]).toMatch(/^step=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(await outcomeOf(answer)).toEqual({
      ...{ status: 403, code: "SECOND_FACTOR_REQUIRED", message: errorTexts.SECOND_FACTOR_REQUIRED },
      data: { ways: ["code", "recovery"] },
    });
    expect(await fingerprintOf(host.db)).toEqual(before);
  });

  test("is needed first: a wrong one is refused as for any account", async () => {
    const owner = await newOwner();
    const plain = await host.signedIn("user");
    const [with2, without] = [
      await login(owner.email, "wrong"),
      await login(plain.user?.email ?? "", "wrong"),
    ];
    expect(cookiesOf(with2)).toEqual([]);
    expect(await outcomeOf(with2)).toEqual(await outcomeOf(without));
  });
});

describe("the second factor", () => {
  test("finishes the sign-in like a password alone, and the session has both proofs", async () => {
    const owner = await newOwner();
    await newRows();
    const jar = await halfway(owner);
    const answer = await finish(jar, { code: owner.nextCode() });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ message: authTexts.loggedIn, user: { id: owner.userId } });
    const after = jarOf(answer);
    expect(namesIn(after).sort()).toEqual(["device", "sid", "step"]);
    expect(cookiesOf(answer).find((set) => set.startsWith("step="))).toContain("Max-Age=0");
    const now = host.clock.now();
    expect(await proofsOf(after)).toEqual([now, now]);
    const told = (await newRows()).find(({ action }) => action === "Signed in");
    expect(told?.description).toBe("With a password and an authenticator app");
  });

  test("is a recovery code that works once, and an email says how many are left", async () => {
    const owner = await newOwner();
    const recoveryCode = owner.recoveryCodes[3]?.toUpperCase().replaceAll("-", " ") ?? "";
    expect((await finish(await halfway(owner), { recoveryCode })).status).toBe(200);
    const mail = host.mails.findLast(({ subject }) => subject === "A recovery code was used");
    expect([mail?.to, mail?.text.includes("9 are left.")]).toEqual([owner.email, true]);
    expect(await outcomeOf(await finish(await halfway(owner), { recoveryCode }))).toEqual(invalid);
  });

  test("is neither a used code, nor one of another account, nor a wrong one; each is recorded", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const jar = await halfway(owner);
    const code = owner.nextCode();
    expect((await finish(jar, { code })).status).toBe(200);
    await newRows();
    for (const given of [
      { code },
      { code: other.nextCode() },
      { recoveryCode: other.recoveryCodes[0] },
      { recoveryCode: "none" },
    ])
      expect(await outcomeOf(await finish(jar, given))).toEqual(invalid);
    const refused = (await newRows()).filter(({ status }) => status === "failure");
    expect(refused).not.toEqual([]);
    for (const row of refused) expect([row.actorKind, row.userEmail]).toEqual(["visitor", owner.email]);
  });

  test("is given in one of two ways", async () => {
    const jar = await halfway(await newOwner());
    for (const body of [{}, { code: "123456", recoveryCode: "none" }])
      expect((await finish(jar, body)).status).toBe(422);
  });

  test("may be wrong five times in a quarter of an hour; recovery codes still work then", async () => {
    const owner = await newOwner();
    const jar = await halfway(owner);
    for (let tries = 0; tries < limits.codeFailures; tries += 1)
      expect((await finish(jar, { code: "000000" })).status).toBe(401);
    // A password in between buys no further tries.
    const again = await halfway(owner);
    expect((await finish(again, { code: owner.nextCode() })).status).toBe(429);
    expect((await finish(again, { recoveryCode: owner.recoveryCodes[0] })).status).toBe(200);
    host.clock.advance(limits.codeFailuresWindowMs);
    expect((await finish(await halfway(owner), { code: owner.nextCode() })).status).toBe(200);
  });

  test("counts wrong codes towards the wrong passwords in a row, which the right password does not end", async () => {
    const owner = await newOwner();
    const rows = () => host.db.select().from(signInFailures).where(eq(signInFailures.emailKey, owner.email));
    await finish(await halfway(owner), { code: "000000" });
    await halfway(owner);
    expect((await rows()).map(({ failures }) => failures)).toEqual([1]);
    await finish(await halfway(owner), { code: owner.nextCode() });
    expect(await rows()).toEqual([]);
  });

  test("A9: that can't be decrypted is said to be so, and never skipped", async () => {
    const owner = await newOwner();
    const secret = createSecretBox(new Uint8Array(32).fill(9)).seal(
      ...(["second-factor", `totp_secrets:secret:${owner.userId}`] as const),
      new Uint8Array(20),
    );
    await host.db.update(totpSecrets).set({ secret }).where(eq(totpSecrets.userId, owner.userId));
    const jar = await halfway(owner);
    expect(await outcomeOf(await finish(jar, { code: owner.nextCode() }))).toEqual({
      ...{ status: 500, code: "SECOND_FACTOR_UNREADABLE" },
      message: errorTexts.SECOND_FACTOR_UNREADABLE,
    });
  });
});

describe("the cookie between the steps", () => {
  test("counts for ten minutes, in that browser, and as it was made", async () => {
    const owner = await newOwner();
    const body = { recoveryCode: owner.recoveryCodes[0] };
    const jar = await halfway(owner);
    const device = `device=${"d".repeat(43)}`;
    const changed = jar.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
    for (const wrong of ["", `${jar}; ${device}`, changed, "step=none", `${jar}; ${jar}`])
      expect(await outcomeOf(await finish(wrong, body))).toEqual(over);
    host.clock.advance(limits.stepMs);
    expect(await outcomeOf(await finish(jar, body))).toEqual(over);
  });

  test("ends with another password, with the account, and with the second factor", async () => {
    const changes = [{ passwordHash: "another" }, { disabledAt: new Date() }, { secondFactorAt: null }];
    for (const change of changes) {
      const owner = await newOwner();
      const jar = await halfway(owner);
      await host.db.update(users).set(change).where(eq(users.id, owner.userId));
      expect(await outcomeOf(await finish(jar, { code: owner.nextCode() }))).toEqual(over);
    }
  });
});

test("A10: of 20 sign-ins with the same code at the same time one succeeds", async () => {
  const owner = await newOwner();
  const jar = await halfway(owner);
  const code = owner.nextCode();
  const answers = await Promise.all(Array.from({ length: 20 }, () => finish(jar, { code })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => ![200, 401, 429, 503].includes(status))).toEqual([]);
});

type KeyOwner = { client: TestClient; email: string; userId: string; passkey: SoftPasskey };

const newKeyOwner = async (isSynced = true): Promise<KeyOwner> => {
  const client = await host.signedIn("user");
  const { passkey } = await addPasskey(client, createSoftPasskey({ isSynced }));
  return { client, email: client.user?.email ?? "", userId: client.user?.id ?? "", passkey };
};

const post = (path: string, body?: object, cookie = "") =>
  host.visitor().call("POST", path, body, { cookie });
const begin = async (path = "/api/auth/passkey/ceremony", cookie = "") =>
  (await (await post(path, undefined, cookie)).json()).data;
const signIn = async (passkey: SoftPasskey, wrong: Partial<AnswerFacts> = {}) => {
  const { ceremony, options } = await begin();
  return post("/api/auth/passkey", { ceremony, response: passkey.get(options, wrong) });
};
const refusedAs = (message: string) => ({ status: 403, code: "PASSKEY_REFUSED", message });
const storedOf = async ({ userId }: KeyOwner) => {
  const [row] = await host.db.select().from(passkeys).where(eq(passkeys.userId, userId));
  return row;
};

describe("a sign-in with a passkey", () => {
  test("needs nothing else: the session has both proofs, and the log says how", async () => {
    const owner = await newKeyOwner();
    await newRows();
    host.clock.advance(60_000);
    const answer = await signIn(owner.passkey);
    expect(await answer.json()).toMatchObject({ message: authTexts.loggedIn, user: { id: owner.userId } });
    const now = host.clock.now();
    expect(await proofsOf(jarOf(answer))).toEqual([now, now]);
    expect((await storedOf(owner))?.lastUsedAt).toEqual(now);
    expect((await newRows()).find(({ action }) => action === "Signed in")?.description).toBe(
      "With a passkey",
    );
  });

  test("begins alike for everyone: no accounts, and any passkey of this site", async () => {
    const { options } = await begin();
    expect(options).toMatchObject({ rpId: "localhost", allowCredentials: [], userVerification: "required" });
  });

  test("is refused with an unknown or removed passkey, and of a disabled account, in the same words", async () => {
    const [removed, disabled] = [await newKeyOwner(), await newKeyOwner()];
    await host.db.delete(passkeys).where(eq(passkeys.userId, removed.userId));
    await host.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, disabled.userId));
    await newRows();
    for (const passkey of [createSoftPasskey(), removed.passkey, disabled.passkey])
      expect(await outcomeOf(await signIn(passkey))).toEqual(refusedAs(passkeyTexts.unknown));
    const [row] = (await newRows()).filter(({ status }) => status === "failure");
    expect([row?.action, row?.actorKind]).toEqual(["Failed to sign in with a passkey", "visitor"]);
  });

  test("A10: with the same answer, sent 20 times at the same time, succeeds once", async () => {
    const { passkey } = await newKeyOwner(false);
    const { ceremony, options } = await begin();
    const body = { ceremony, response: passkey.get(options) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("/api/auth/passkey", body)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 403)).toHaveLength(19);
  });

  test("is not begun without end from one network", async () => {
    const crowded = await createTestHost({ hasher: createCheapHasher() });
    const ask = () => crowded.visitor().call("POST", "/api/auth/passkey/ceremony");
    for (let count = 0; count < limits.ceremoniesByIp; count += 1) await ask();
    expect((await ask()).status).toBe(429);
    expect(await crowded.db.$count(ceremonies)).toBe(limits.ceremoniesByIp);
    await crowded.close();
  });
});

describe("a passkey with a counter", () => {
  test("is blocked when the counter does not rise, and the owner is told once", async () => {
    const owner = await newKeyOwner(false);
    expect((await signIn(owner.passkey, { counter: 100 })).status).toBe(200);
    await newRows();
    const sent = host.mails.length;
    for (const counter of [100, 7, 101])
      expect(await outcomeOf(await signIn(owner.passkey, { counter }))).toEqual(
        refusedAs(passkeyTexts.blocked),
      );
    expect(host.mails.slice(sent).map(({ to, subject }) => [to, subject])).toEqual([
      [owner.email, "A passkey of your account was blocked"],
    ]);
    const rows = (await newRows()).filter(({ severity }) => severity === "high");
    expect(rows.map(({ action }) => action)).toEqual(["Blocked a passkey that may have been copied"]);
    expect((await storedOf(owner))?.counter).toBe(100);
    const list = await (await owner.client.call("GET", "/api/account/passkeys")).json();
    expect(list.data.passkeys[0].isBlocked).toBe(true);
  });
});

test("a blocked passkey, the only factor where one is required, is replaced with the same authenticator", async () => {
  const strict = createFixedSettings();
  strict.setAccounts({ ...accountSettings.defaults, secondFactor: "everyone" });
  const other = await createTestHost({ hasher: createCheapHasher(), settings: strict });
  const client = await other.signedIn("user");
  const { id, passkey } = await addPasskey(client);
  await other.db.update(passkeys).set({ suspectAt: new Date() });
  const remove = async () => (await client.call("DELETE", `/api/account/passkeys/${id}`)).status;
  expect(await remove()).toBe(409);
  const begun = await client.call("POST", "/api/account/passkeys/ceremony");
  const { excludeCredentials } = (await begun.json()).data.options;
  expect(excludeCredentials).not.toContainEqual(expect.objectContaining({ id: passkey.id }));
  await addPasskey(client);
  expect(await remove()).toBe(200);
  await other.close();
});

describe("the passkey of an account", () => {
  test("A9: finishes a sign-in that a password began; another account's does not", async () => {
    const [owner, other] = [await newKeyOwner(), await newKeyOwner()];
    const first = await login(owner.email);
    expect((await first.clone().json()).data).toEqual({ ways: ["passkey", "recovery"] });
    const jar = jarOf(first);
    const finishWith = async (passkey: SoftPasskey) => {
      const { ceremony, options } = await begin("/api/auth/login/factor/ceremony", jar);
      expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([owner.passkey.id]);
      return finish(jar, { ceremony, response: passkey.get(options) });
    };
    expect(await outcomeOf(await finishWith(other.passkey))).toEqual(refusedAs(passkeyTexts.unknown));
    const anyone = await begin();
    const body = { ceremony: anyone.ceremony, response: owner.passkey.get(anyone.options) };
    expect(await outcomeOf(await finish(jar, body))).toEqual(refusedAs(passkeyTexts.expired));
    await newRows();
    expect((await finishWith(owner.passkey)).status).toBe(200);
    const told = (await newRows()).find(({ action }) => action === "Signed in");
    expect(told?.description).toBe("With a password and a passkey");
  });

  test("confirms requests that need the second factor, which names the ways", async () => {
    const owner = await newKeyOwner();
    host.clock.advance(limits.freshSessionMs);
    const remove = (client: TestClient) => client.call("DELETE", "/api/account/passkeys/none");
    const asked = await (await remove(owner.client)).json();
    expect([asked.message, asked.data]).toEqual([
      ...[accountTexts.passkeyWanted, { wanted: "factor", ways: ["passkey"] }],
    ]);
    const { ceremony, options } = (
      await (await owner.client.call("POST", "/api/account/confirm/ceremony")).json()
    ).data;
    const body = { ceremony, response: owner.passkey.get(options) };
    const confirmed = withCookieOf(
      owner.client,
      await owner.client.call("POST", "/api/account/confirm", body),
    );
    expect((await remove(confirmed)).status).toBe(404);
    await enableFactor(host, confirmed);
    host.clock.advance(limits.freshSessionMs);
    expect((await (await remove(confirmed)).json()).data.ways).toEqual(["passkey", "code"]);
  });

  test("waits for the new password after a reset, so that one added in a stolen session lets no one in", async () => {
    const owner = await newKeyOwner();
    await post("/api/auth/forgot-password", { email: owner.email });
    const token = /token=([\w-]+)/.exec(
      host.mails.findLast(({ to, link }) => to === owner.email && link)?.link ?? "",
    )?.[1];
    const answer = await post(`/api/auth/reset-password/${token}`, { password: `another ${testPassword}` });
    expect(answer.status).toBe(200);
    expect(await outcomeOf(await signIn(owner.passkey))).toEqual(refusedAs(passkeyTexts.passwordFirst));
    const jar = jarOf(await login(owner.email, `another ${testPassword}`));
    const { ceremony, options } = await begin("/api/auth/login/factor/ceremony", jar);
    const body = { ceremony, response: owner.passkey.get(options) };
    expect((await finish(jar, body)).status).toBe(200);
    expect((await signIn(owner.passkey)).status).toBe(200);
  });
});
