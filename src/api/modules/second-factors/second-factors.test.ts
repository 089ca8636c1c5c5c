import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { pendingTotpSecrets, recoveryCodes, sessions, totpSecrets, users } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { appWith, enableFactor } from "#api/testing/authenticator.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { factorTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const newRows = createActivityReader(host.services);

const paths = {
  factors: "/api/account/second-factors",
  totp: "/api/account/totp",
  verify: "/api/account/totp/verify",
  enable: "/api/account/totp/enable",
  codes: "/api/account/recovery-codes",
};
const factorsOf = async (client: TestClient) => (await (await client.call("GET", paths.factors)).json()).data;
const none = { totp: null, passkeys: 0, recoveryCodesLeft: 0, isOffered: true, requiredBy: null };
const outcomeOf = async (answer: Promise<Response>) => {
  const { status } = await answer;
  const { code, message, errors } = await (await answer).json();
  return errors === undefined ? [status, code, message] : [status, code, errors];
};
const wrongCode = [422, "VALIDATION_FAILED", [{ path: "code", message: errorTexts.CODE_INVALID }]];
const expired = [409, "CONFLICT", factorTexts.setupExpired];
const begin = async (client: TestClient) => {
  const answer = await client.call("POST", paths.totp, {});
  return appWith(host, (await answer.json()).data.secret);
};
const rowOf = async (client: TestClient) =>
  (
    await host.db
      .select()
      .from(users)
      .where(eq(users.id, client.user?.id ?? ""))
  )[0];

describe("setting an authenticator app up", () => {
  test("enables nothing before the codes are stored; then user, session, email and log say so", async () => {
    const client = await host.signedIn("user");
    await newRows();
    expect(await factorsOf(client)).toEqual(none);
    const nextCode = await begin(client);
    const answer = await client.call("POST", paths.verify, { code: nextCode() });
    const { recoveryCodes: shown } = (await answer.json()).data;
    expect(shown).toHaveLength(10);
    expect([await factorsOf(client), (await rowOf(client))?.secondFactorAt]).toEqual([none, null]);
    const sent = host.mails.length;
    expect((await client.call("POST", paths.enable, {})).status).toBe(200);
    const now = host.clock.now();
    expect(await factorsOf(client)).toEqual({
      ...{ ...none, totp: { enabledAt: now.toISOString() }, recoveryCodesLeft: 10 },
    });
    expect((await rowOf(client))?.secondFactorAt).toEqual(now);
    const [session] = await host.db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, client.user?.id ?? ""));
    expect(session?.factorAt).toEqual(now);
    expect(host.mails.slice(sent).map(({ to, subject }) => [to, subject])).toEqual([
      [client.user?.email ?? "", "An authenticator app was set up"],
    ]);
    expect((await newRows()).map(({ action }) => action)).toContain("Enabled an authenticator app");
    expect(await outcomeOf(client.call("POST", paths.enable, {}))).toEqual(expired);
  });

  test("stores neither the key nor a recovery code as it is", async () => {
    const client = await host.signedIn("user");
    const userId = client.user?.id ?? "";
    const { secret } = (await (await client.call("POST", paths.totp, {})).json()).data;
    const nextCode = appWith(host, secret);
    const { data } = await (await client.call("POST", paths.verify, { code: nextCode() })).json();
    const pending = await host.db
      .select()
      .from(pendingTotpSecrets)
      .where(eq(pendingTotpSecrets.userId, userId));
    await client.call("POST", paths.enable, {});
    const stored = [
      pending,
      await host.db.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)),
      await host.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    ].flat();
    expect(stored).toHaveLength(12);
    const text = stored.map((row) =>
      JSON.stringify({ ...row, secret: String("secret" in row && row.secret) }),
    );
    for (const hidden of [...data.recoveryCodes, secret.replaceAll(" ", "")])
      expect(text.join()).not.toContain(hidden);
  });

  test("refuses a wrong code five times, and then any code for a quarter of an hour", async () => {
    const client = await host.signedIn("user");
    const nextCode = await begin(client);
    const wrong = { code: "000000" };
    for (let tries = 0; tries < limits.codeFailures; tries += 1)
      expect(await outcomeOf(client.call("POST", paths.verify, wrong))).toEqual(wrongCode);
    expect((await client.call("POST", paths.verify, { code: nextCode() })).status).toBe(429);
    expect(await factorsOf(client)).toEqual(none);
  });

  test("has wrong codes of its own: the app in use is still checked", async () => {
    const client = await host.signedIn("user");
    const { nextCode } = await enableFactor(host, client);
    await begin(client);
    for (let tries = 0; tries <= limits.codeFailures; tries += 1)
      await client.call("POST", paths.verify, { code: "000000" });
    expect((await client.call("POST", "/api/account/confirm", { code: nextCode() })).status).toBe(200);
  });

  test("ends after 15 minutes without the first code, and 15 minutes after it without storing the codes", async () => {
    const client = await host.signedIn("user");
    expect(await outcomeOf(client.call("POST", paths.verify, { code: "000000" }))).toEqual(expired);
    const late = await begin(client);
    host.clock.advance(limits.factorSetupMs);
    expect(await outcomeOf(client.call("POST", paths.verify, { code: late() }))).toEqual(expired);
    const another = await host.signedIn("user");
    const code = (await begin(another))();
    expect(await outcomeOf(another.call("POST", paths.enable, {}))).toEqual(expired);
    await another.call("POST", paths.verify, { code });
    expect(await outcomeOf(another.call("POST", paths.verify, { code }))).toEqual(wrongCode);
    host.clock.advance(limits.factorSetupMs);
    expect(await outcomeOf(another.call("POST", paths.enable, {}))).toEqual(expired);
  });

  test("says that the setup can't be read when its key is gone", async () => {
    const client = await host.signedIn("user");
    const nextCode = await begin(client);
    const foreign = createSecretBox(new Uint8Array(32).fill(9));
    const userId = client.user?.id ?? "";
    const secret = foreign.seal("second-factor", `pending_totp_secrets:secret:${userId}`, new Uint8Array(20));
    await host.db.update(pendingTotpSecrets).set({ secret }).where(eq(pendingTotpSecrets.userId, userId));
    expect(await outcomeOf(client.call("POST", paths.verify, { code: nextCode() }))).toEqual([
      ...[500, "SECOND_FACTOR_UNREADABLE", errorTexts.SECOND_FACTOR_UNREADABLE],
    ]);
  });

  test("replaces the app and its codes only once the new one is enabled, and the account keeps its date", async () => {
    const client = await host.signedIn("user");
    await enableFactor(host, client);
    const since = (await rowOf(client))?.secondFactorAt;
    const before = await factorsOf(client);
    const nextCode = await begin(client);
    await client.call("POST", paths.verify, { code: nextCode() });
    expect(await factorsOf(client)).toEqual(before);
    await client.call("POST", paths.enable, {});
    expect(await factorsOf(client)).toEqual({
      ...{ ...before, totp: { enabledAt: host.clock.now().toISOString() } },
    });
    expect((await rowOf(client))?.secondFactorAt).toEqual(since ?? null);
  });
});

describe("an enabled second factor", () => {
  test("is removed with its codes, and an email tells", async () => {
    const client = await host.signedIn("user");
    expect((await client.call("DELETE", paths.totp)).status).toBe(404);
    await enableFactor(host, client);
    expect((await client.call("DELETE", paths.totp)).status).toBe(200);
    expect([await factorsOf(client), (await rowOf(client))?.secondFactorAt]).toEqual([none, null]);
    expect(host.mails.at(-1)?.subject).toBe("Two-factor authentication was turned off");
  });

  test("gets other recovery codes, which end the old ones", async () => {
    const client = await host.signedIn("user");
    expect(await outcomeOf(client.call("POST", paths.codes, {}))).toEqual([
      ...[409, "CONFLICT", factorTexts.factorWanted],
    ]);
    const { recoveryCodes: old } = await enableFactor(host, client);
    const { data } = await (await client.call("POST", paths.codes, {})).json();
    expect(data.recoveryCodes.filter((code: string) => old.includes(code))).toEqual([]);
    expect((await factorsOf(client)).recoveryCodesLeft).toBe(10);
    expect(host.mails.at(-1)?.subject).toBe("Your recovery codes were replaced");
  });
});
