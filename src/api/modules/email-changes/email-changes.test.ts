import { beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken, newId } from "#api/core/ids.ts";
import { passkeys, users } from "#api/db/schema.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { addPasskey } from "#api/testing/soft-passkey.ts";
import { accountSettings } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";

const settings = createFixedSettings();
const host = await hostForFile({ hasher: createCheapHasher(), settings });
beforeEach(() => settings.setAccounts(accountSettings.defaults));

const answerOf = async (response: Response) => ({ status: response.status, ...(await response.json()) });
const begin = async (client: TestClient, email: string) =>
  answerOf(await client.call("POST", "/api/account/email", { email }));
const linkTo = (email: string): string =>
  tokenIn(host.mails.findLast(({ to, link }) => to === email && link));
const finish = async (token: string, act: string, by = host.visitor()) =>
  answerOf(await by.call("POST", `/api/auth/email-change/${token}`, { act }));
const actsOf = async (token: string) => {
  const { data } = await answerOf(await host.visitor().call("GET", `/api/auth/email-change/${token}`));
  return data?.acts;
};
const emailOf = async (client: TestClient) =>
  (await answerOf(await client.call("GET", "/api/auth/user"))).email;
const signIn = async (email: string, password = testPassword) =>
  (await host.visitor().call("POST", "/api/auth/login", { email, password })).status;
const stored = async () => withoutLog(await contentsOf(host.db));

/** Someone with the links of a change that they began. */
const changing = async (role: "user" | "admin" = "user") => {
  const client = await host.signedIn(role);
  const [oldEmail, newEmail] = [client.user?.email ?? "", newPerson().email];
  expect((await begin(client, newEmail)).status).toBe(202);
  return { client, oldEmail, newEmail, confirm: linkTo(newEmail), old: linkTo(oldEmail) };
};

test("a confirmed address takes the old one's place: other sessions, reset links, links to unlink and registrations end, this one goes on", async () => {
  const { client, oldEmail, newEmail, confirm } = await changing();
  const other = host.visitor();
  const login = await other.call("POST", "/api/auth/login", { email: oldEmail, password: testPassword });
  expect(login.status).toBe(200);
  await host.visitor().call("POST", "/api/auth/forgot-password", { email: oldEmail });
  const reset = linkTo(oldEmail);
  const linked = { userId: client.user?.id ?? "", provider: "google", subject: newId() };
  await addIdentity(host.db, { ...linked, linkedAt: host.clock.now(), undoHash: hashToken("unlink") });
  await host.visitor().call("POST", "/api/auth/register", newPerson({ email: newEmail }));
  expect(await finish(confirm, "confirm", client)).toMatchObject({ status: 200, data: { state: "changed" } });
  expect(await emailOf(client)).toBe(newEmail);
  const sessions = await answerOf(await client.call("GET", "/api/account/sessions"));
  expect(sessions.data.sessions).toHaveLength(1);
  for (const link of [`reset-password/${reset}`, "unlink-provider/unlink"])
    expect((await host.visitor().call("GET", `/api/auth/${link}`)).status).toBe(400);
  expect(
    (await stored()).filter((row) => row.startsWith("pendingRegistrations") && row.includes(newEmail)),
  ).toEqual([]);
  expect([await signIn(newEmail), await signIn(oldEmail)]).toEqual([200, 401]);
});

test("the answer, and what the present mailbox gets, are the same whether or not the new address is taken; its owner is told", async () => {
  const owner = (await host.signedIn("user")).user?.email ?? "";
  const [one, other] = [await host.signedIn("user"), await host.signedIn("user")];
  const taken = await begin(one, owner);
  expect(taken).toEqual(await begin(other, newPerson().email));
  const subjects = [one, other].map(
    ({ user }) => host.mails.findLast(({ to }) => to === user?.email)?.subject,
  );
  expect(subjects[0]).toBe(subjects[1] ?? "");
  const waiting = [one, other].map(async (client) =>
    Object.keys((await answerOf(await client.call("GET", "/api/account"))).data.emailChange),
  );
  expect(await waiting[0]).toEqual((await waiting[1]) ?? []);
  expect(host.mails.findLast(({ to }) => to === owner)).toMatchObject({
    subject: "Someone tried to use your email address",
  });
  expect(host.mails.findLast(({ to }) => to === owner)?.link).toBeUndefined();
});

describe("a link is good for nothing", () => {
  test.each([
    ["once stopped", async ({ old }: { old: string }) => void (await finish(old, "stop"))],
    [
      "once stopped by its owner",
      async ({ client }: { client: TestClient }) => void (await client.call("DELETE", "/api/account/email")),
    ],
    ["after a day", async () => void host.clock.advance(limits.verificationTokenMs)],
    [
      "once its owner reset the password",
      async ({ oldEmail }: { oldEmail: string }) => {
        await host.visitor().call("POST", "/api/auth/forgot-password", { email: oldEmail });
        const path = `/api/auth/reset-password/${linkTo(oldEmail)}`;
        const reset = await host.visitor().call("POST", path, { password: "another correct horse" });
        expect(reset.status).toBe(200);
      },
    ],
    [
      "once an administrator ended its owner's sessions",
      async ({ oldEmail }: { oldEmail: string }) => {
        const admin = await host.signedIn("admin");
        expect((await admin.call("DELETE", `/api/admin/users/${oldEmail}/sessions`)).status).toBe(200);
      },
    ],
  ])("%s: nothing changes", async (_, end) => {
    const change = await changing();
    await end(change);
    const before = await stored();
    for (const act of ["confirm", "approve", "stop", "undo"])
      for (const token of [change.confirm, change.old, "A".repeat(43)])
        expect(await finish(token, act)).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
    expect(await stored()).toEqual(before);
  });

  test("but what it was emailed for: the new mailbox can't approve or stop, the old one not confirm", async () => {
    const { confirm, old } = await changing("admin");
    expect([await actsOf(confirm), await actsOf(old)]).toEqual([["confirm"], ["approve", "stop"]]);
    for (const act of ["approve", "stop", "undo"]) expect((await finish(confirm, act)).status).toBe(400);
    for (const act of ["confirm", "undo"]) expect((await finish(old, act)).status).toBe(400);
  });
});

describe("an administrator's address, and everyone's where both mailboxes are wanted, changes", () => {
  test.each([
    ["admin", ["confirm", "approve"]],
    ["admin", ["approve", "confirm"]],
    ["user", ["confirm", "approve"]],
  ] as const)("of the %s after %p", async (role, order) => {
    settings.setAccounts({ ...accountSettings.defaults, emailChange: "both" });
    const { oldEmail, newEmail, confirm, old } = await changing(role);
    const states = [];
    for (const act of order) states.push((await finish(act === "confirm" ? confirm : old, act)).data.state);
    expect(states).toEqual(["waiting", "changed"]);
    expect([await signIn(newEmail), await signIn(oldEmail)]).toEqual([200, 401]);
  });

  test("after three days without a stop, if the second factor was given", async () => {
    const client = await host.signedIn("admin");
    await enableFactor(host, client);
    const newEmail = newPerson().email;
    expect((await begin(client, newEmail)).status).toBe(202);
    expect((await finish(linkTo(newEmail), "confirm")).data.state).toBe("waiting");
    const plain = await changing("admin");
    host.clock.advance(limits.emailSilenceMs);
    expect((await finish(linkTo(newEmail), "confirm")).data.state).toBe("changed");
    expect((await finish(plain.confirm, "confirm")).data.state).toBe("waiting");
  });
});

describe("undo", () => {
  test("restores the address for a week: sessions, password and what was added since end, and the owner chooses a password", async () => {
    const { client, oldEmail, newEmail, confirm } = await changing();
    await finish(confirm, "confirm", client);
    const undo = linkTo(oldEmail);
    host.clock.advance(1_000);
    await enableFactor(host, client);
    const { data, status } = await finish(undo, "undo");
    expect([status, data.state]).toEqual([200, "undone"]);
    expect((await client.call("GET", "/api/auth/user")).status).toBe(401);
    expect([await signIn(newEmail), await signIn(oldEmail)]).toEqual([401, 401]);
    const password = "another correct horse";
    expect(
      (await host.visitor().call("POST", `/api/auth/reset-password/${data.resetToken}`, { password })).status,
    ).toBe(200);
    expect(await signIn(oldEmail, password)).toBe(200);
    expect((await finish(undo, "undo")).status).toBe(400);
  });

  test("takes away what was added or replaced lately of an older second factor, and leaves the rest", async () => {
    const client = await host.signedIn("user");
    const userId = client.user?.id ?? "";
    const { id } = await addPasskey(client);
    await enableFactor(host, client);
    const createdAt = new Date(host.clock.now().getTime() - limits.emailSilenceMs - 1_000);
    await host.db.update(passkeys).set({ createdAt }).where(eq(passkeys.userId, userId));
    await host.db.update(users).set({ secondFactorAt: createdAt }).where(eq(users.id, userId));
    const { email } = newPerson();
    await begin(client, email);
    await finish(linkTo(email), "confirm", client);
    await addPasskey(client);
    await finish(linkTo(client.user?.email ?? ""), "undo");
    const rows = (await stored()).filter((row) => row.includes(userId));
    const left = (table: string) => rows.filter((row) => row.startsWith(table));
    expect(left("passkeys")).toEqual([expect.stringContaining(id)]);
    expect([...left("totpSecrets"), ...left("recoveryCodes")]).toEqual([]);
  });

  test("ends with the week, and with an undo of an earlier change", async () => {
    const { client, oldEmail, newEmail, confirm } = await changing();
    await finish(confirm, "confirm", client);
    const first = linkTo(oldEmail);
    const third = newPerson().email;
    await begin(client, third);
    await finish(linkTo(third), "confirm", client);
    const second = linkTo(newEmail);
    expect((await finish(first, "undo")).data.state).toBe("undone");
    expect((await finish(second, "undo")).status).toBe(400);
    const late = await changing();
    await finish(late.confirm, "confirm");
    host.clock.advance(limits.emailUndoMs);
    expect((await finish(linkTo(late.oldEmail), "undo")).status).toBe(400);
  });

  test("outlives the undo of a later change, and removes a second factor that was set up shortly before", async () => {
    const client = await host.signedIn("user");
    await enableFactor(host, client);
    host.clock.advance(1_000);
    const [oldEmail, second, third] = [client.user?.email ?? "", newPerson().email, newPerson().email];
    for (const email of [second, third]) {
      await begin(client, email);
      await finish(linkTo(email), "confirm", client);
      host.clock.advance(1_000);
    }
    const first = linkTo(oldEmail);
    expect((await finish(linkTo(second), "undo")).data.state).toBe("undone");
    const { data } = await finish(first, "undo");
    expect(data.state).toBe("undone");
    const password = "another correct horse";
    await host.visitor().call("POST", `/api/auth/reset-password/${data.resetToken}`, { password });
    expect(await signIn(oldEmail, password)).toBe(200);
  });

  test("always finds the address free: no one else gets it for 30 days", async () => {
    const { oldEmail, confirm } = await changing();
    await finish(confirm, "confirm");
    const admin = await host.signedIn("admin");
    const create = async () =>
      (await admin.call("POST", "/api/admin/users", { ...newPerson({ email: oldEmail }), role: "user" }))
        .status;
    expect(await create()).toBe(409);
    const other = await host.signedIn("user");
    await begin(other, oldEmail);
    expect(host.mails.findLast(({ to }) => to === oldEmail)?.subject).toBe("Your email address was changed");
    host.clock.advance(limits.emailReservedMs);
    const later = await host.signedIn("admin");
    const person = { ...newPerson({ email: oldEmail }), role: "user" };
    expect((await later.call("POST", "/api/admin/users", person)).status).toBe(201);
  });
});

test("of two who confirm the same free address one gets it, and the other's account stays as it is", async () => {
  const [one, other] = [await host.signedIn("user"), await host.signedIn("user")];
  const { email } = newPerson();
  const links: string[] = [];
  for (const client of [one, other]) {
    await begin(client, email);
    links.push(linkTo(email));
  }
  const answers = await Promise.all(links.map((link) => finish(link, "confirm")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const loser = answers[0]?.status === 409 ? one : other;
  expect(await emailOf(loser)).toBe(loser.user?.email);
});

test("one change waits at a time, and three are begun a day, to taken addresses too; refused ones don't count", async () => {
  const { client } = await changing();
  expect((await begin(client, newPerson().email)).status).toBe(409);
  const taken = (await host.signedIn("user")).user?.email ?? "";
  const statuses = [];
  for (const email of [client.user?.email ?? "", newPerson().email, taken, newPerson().email]) {
    await client.call("DELETE", "/api/account/email");
    statuses.push((await begin(client, email)).status);
  }
  expect(statuses).toEqual([409, 202, 202, 429]);
});

test("an administrator changes the address of someone who lost their mailbox: the new one confirms, the old one may stop", async () => {
  const admin = await host.signedIn("admin");
  const { user } = await host.signedIn("admin");
  const newEmail = newPerson().email;
  const set = (email: string) => admin.call("PUT", `/api/admin/users/${user?.id}/email`, { email });
  expect((await set(newEmail)).status).toBe(200);
  expect(await actsOf(linkTo(user?.email ?? ""))).toEqual(["stop"]);
  expect((await set(admin.user?.email ?? "")).status).toBe(409);
  expect((await finish(linkTo(newEmail), "confirm")).data.state).toBe("changed");
});
