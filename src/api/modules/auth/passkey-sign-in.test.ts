import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { ceremonies, passkeys, sessions, users } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { cookiesOf, withCookieOf } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
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
import { limits } from "#contract/limits.ts";
import { passkeyTexts } from "#contract/passkeys.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const newRows = createActivityReader(host.services);

type Owner = { client: TestClient; email: string; userId: string; passkey: SoftPasskey };

const newOwner = async (isSynced = true): Promise<Owner> => {
  const client = await host.signedIn("user");
  const { passkey } = await addPasskey(client, createSoftPasskey({ isSynced }));
  return { client, email: client.user?.email ?? "", userId: client.user?.id ?? "", passkey };
};

const post = async (path: string, body?: object, cookie = "", client = host.visitor()) =>
  client.call("POST", path, body, cookie === "" ? {} : { cookie });
const begin = async (path = "/api/auth/passkey/ceremony", cookie = "") =>
  (await (await post(path, undefined, cookie)).json()).data;
const signIn = async (passkey: SoftPasskey, wrong: Partial<AnswerFacts> = {}) => {
  const { ceremony, options } = await begin();
  return post("/api/auth/passkey", { ceremony, response: passkey.get(options, wrong) });
};
const outcomeOf = async (answer: Response) => {
  const { code, message } = await answer.json();
  return [answer.status, code, message];
};
const refusedAs = (message: string) => [403, "PASSKEY_REFUSED", message];
const jarOf = (answer: Response) =>
  cookiesOf(answer)
    .map((set) => set.split(";")[0])
    .join("; ");
const storedOf = async ({ userId }: Owner) => {
  const [row] = await host.db.select().from(passkeys).where(eq(passkeys.userId, userId));
  return row;
};

describe("a sign-in with a passkey", () => {
  test("needs nothing else: the session has both proofs, and the log says how", async () => {
    const owner = await newOwner();
    await newRows();
    host.clock.advance(60_000);
    const answer = await signIn(owner.passkey);
    expect(await answer.json()).toMatchObject({ message: authTexts.loggedIn, user: { id: owner.userId } });
    const sid = /sid=([\w-]+)/.exec(jarOf(answer))?.[1] ?? "";
    const [session] = await host.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, hashToken(sid)));
    const now = host.clock.now();
    expect([session?.confirmedAt, session?.factorAt]).toEqual([now, now]);
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
    const [removed, disabled] = [await newOwner(), await newOwner()];
    await host.db.delete(passkeys).where(eq(passkeys.userId, removed.userId));
    await host.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, disabled.userId));
    await newRows();
    for (const passkey of [createSoftPasskey(), removed.passkey, disabled.passkey])
      expect(await outcomeOf(await signIn(passkey))).toEqual(refusedAs(passkeyTexts.unknown));
    const [row] = (await newRows()).filter(({ status }) => status === "failure");
    expect([row?.action, row?.actorKind]).toEqual(["Failed to sign in with a passkey", "visitor"]);
  });

  test("A10: with the same answer, sent 20 times at the same time, succeeds once", async () => {
    const { passkey } = await newOwner(false);
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
    const owner = await newOwner(false);
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
  const password = ({ email }: Owner) => post("/api/auth/login", { email, password: testPassword });

  test("A9: finishes a sign-in that a password began; another account's does not", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const first = await password(owner);
    expect((await first.clone().json()).data).toEqual({ ways: ["passkey", "recovery"] });
    const jar = jarOf(first);
    const finish = async (passkey: SoftPasskey) => {
      const { ceremony, options } = await begin("/api/auth/login/factor/ceremony", jar);
      expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([owner.passkey.id]);
      return post("/api/auth/login/factor", { ceremony, response: passkey.get(options) }, jar);
    };
    expect(await outcomeOf(await finish(other.passkey))).toEqual(refusedAs(passkeyTexts.unknown));
    const anyone = await begin();
    const body = { ceremony: anyone.ceremony, response: owner.passkey.get(anyone.options) };
    expect(await outcomeOf(await post("/api/auth/login/factor", body, jar))).toEqual(
      refusedAs(passkeyTexts.expired),
    );
    await newRows();
    expect((await finish(owner.passkey)).status).toBe(200);
    const told = (await newRows()).find(({ action }) => action === "Signed in");
    expect(told?.description).toBe("With a password and a passkey");
  });

  test("confirms requests that need the second factor, which names the ways", async () => {
    const owner = await newOwner();
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
    const owner = await newOwner();
    await post("/api/auth/forgot-password", { email: owner.email });
    const token = /token=([\w-]+)/.exec(
      host.mails.findLast(({ to, link }) => to === owner.email && link)?.link ?? "",
    )?.[1];
    const answer = await post(`/api/auth/reset-password/${token}`, { password: `another ${testPassword}` });
    expect(answer.status).toBe(200);
    expect(await outcomeOf(await signIn(owner.passkey))).toEqual(refusedAs(passkeyTexts.passwordFirst));
    const jar = jarOf(
      await post("/api/auth/login", { email: owner.email, password: `another ${testPassword}` }),
    );
    const { ceremony, options } = await begin("/api/auth/login/factor/ceremony", jar);
    const body = { ceremony, response: owner.passkey.get(options) };
    expect((await post("/api/auth/login/factor", body, jar)).status).toBe(200);
    expect((await signIn(owner.passkey)).status).toBe(200);
  });
});
