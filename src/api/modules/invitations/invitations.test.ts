import { describe, expect, test } from "bun:test";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { accountSettings } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";
import type { Role } from "#contract/users.ts";

const settings = createFixedSettings();
settings.setAccounts({ ...accountSettings.defaults, registration: "closed" });
const host = await hostForFile({ hasher: createCheapHasher(), settings });
let admin = await host.signedIn("admin");

const path = "/api/admin/invitations";
const dayMs = 24 * 60 * 60 * 1000;

const answerOf = async (response: Response) => ({ status: response.status, ...(await response.json()) });
const invite = async (invitations: object[], by = admin) =>
  answerOf(await by.call("POST", path, { invitations }));
const mailsTo = (email: string) => host.mails.filter(({ to }) => to === email);
const linkTo = (email: string): string => tokenIn(mailsTo(email).at(-1));
const check = async (token: string) =>
  answerOf(await host.visitor().call("GET", `/api/auth/invitations/${token}`));
const accept = async (token: string, name = "Ada Example", password = "correct-horse-battery") =>
  answerOf(await host.visitor().call("POST", `/api/auth/invitations/${token}`, { name, password }));
const stateOf = async (email: string) => {
  const { data } = await answerOf(await admin.call("GET", `${path}?limit=100`));
  return data.invitations.find((one: { email: string }) => one.email === email)?.state;
};
const stored = async () => withoutLog(await contentsOf(host.db));

/** The token of an invitation that was made a moment ago. */
const invited = async (role: Role = "user", by = admin) => {
  const { email } = newPerson();
  await invite([{ email, role }], by);
  return { email, token: linkTo(email) };
};

test("an invitation names who sent it, makes a verified account whatever the policy is, signs in, and works once", async () => {
  const { email } = newPerson();
  const body = { invitations: [{ email, name: "Ada", expiresInDays: 3 }], note: "See you\non Monday" };
  const { data } = await answerOf(await admin.call("POST", path, body));
  expect(data.results).toMatchObject([{ email, status: "invited", reason: null }]);
  const [mail] = mailsTo(email);
  expect(mail?.text).toContain(`${admin.user?.name} invited you to Atrium`);
  expect(mail?.text).toContain("> See you\n> on Monday");
  const token = linkTo(email);
  expect((await check(token)).data).toEqual({
    ...{ email, name: "Ada", role: "user", invitedBy: admin.user?.name },
    expiresAt: new Date(host.clock.now().getTime() + 3 * dayMs).toISOString(),
    ...{ isPasskeyOffered: true, needsSecondFactor: false, suggestsSecondFactor: false },
  });
  const response = await host
    .visitor()
    .call("POST", `/api/auth/invitations/${token}`, { name: " Ada ", password: "correct-horse-battery" });
  expect([response.status, (await response.json()).user]).toMatchObject([
    201,
    { email, name: "Ada", role: "user", emailVerified: true },
  ]);
  expect(response.headers.get("set-cookie")).toContain("sid=");
  expect(mailsTo(email)).toHaveLength(1);
  expect(await stateOf(email)).toBe("accepted");
  expect(await accept(token)).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
});

test("addresses with an account or a waiting invitation are skipped without an email, each with its reason", async () => {
  const taken = (await host.signedIn("user")).user?.email ?? "";
  const { email: waiting } = await invited();
  const { email: fresh } = newPerson();
  const mover = await host.signedIn("user");
  const { email: moved } = newPerson();
  await mover.call("POST", "/api/account/email", { email: moved });
  await host.visitor().call("POST", `/api/auth/email-change/${linkTo(moved)}`, { act: "confirm" });
  const reserved = mover.user?.email ?? "";
  const mailed = mailsTo(reserved).length;
  const wanted = [taken.toUpperCase(), waiting, reserved, fresh, fresh];
  const { data } = await invite(wanted.map((email) => ({ email })));
  expect(
    data.results.map(({ status, reason }: { status: string; reason: string }) => [status, reason]),
  ).toEqual([
    ["skipped", "account"],
    ["skipped", "waiting"],
    ["skipped", "account"],
    ["invited", null],
    ["skipped", "waiting"],
  ]);
  expect([taken, waiting, reserved, fresh].map((email) => mailsTo(email).length)).toEqual([0, 1, mailed, 1]);
});

describe("a link that no longer works is told nothing, creates nothing and is used up by nothing:", () => {
  test.each([
    ["withdrawn", async (email: string) => void (await admin.call("DELETE", `${path}/${email}`))],
    ["replaced", async (email: string) => void (await admin.call("POST", `${path}/${email}/resend`))],
    ["expired", async () => host.clock.advance(limits.invitationDays * dayMs)],
    ["of no one", null],
  ])("%s", async (_, end) => {
    const { email, token } = await invited();
    await end?.(email);
    // The time may have ended the session as well.
    admin = await host.signedIn("admin");
    const given = end === null ? "A".repeat(43) : token;
    const before = await stored();
    expect(await check(given)).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
    expect(await accept(given)).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
    expect(await stored()).toEqual(before);
  });
});

describe("once the administrator who sent them", () => {
  test.each([
    [
      "was disabled",
      async (id: string) => {
        await admin.call("POST", `/api/admin/users/${id}/disable`);
        return admin.call("POST", `/api/admin/users/${id}/enable`);
      },
    ],
    [
      "was a user",
      async (id: string) => {
        await admin.call("PUT", `/api/admin/users/${id}/role`, { role: "user" });
        return admin.call("PUT", `/api/admin/users/${id}/role`, { role: "admin" });
      },
    ],
    ["is deleted", (id: string) => admin.call("DELETE", `/api/admin/users/${id}`)],
  ])("%s, invitations of administrators are withdrawn, and others work", async (_, end) => {
    const inviter = await host.signedIn("admin");
    const forAdmin = await invited("admin", inviter);
    const forUser = await invited("user", inviter);
    expect((await end(inviter.user?.id ?? "")).status).toBe(200);
    expect(await check(forAdmin.token)).toMatchObject({ code: "TOKEN_INVALID" });
    expect(await accept(forAdmin.token)).toMatchObject({ code: "TOKEN_INVALID" });
    expect(await stateOf(forAdmin.email)).toBe("withdrawn");
    expect((await accept(forUser.token)).status).toBe(201);
    // Another administrator may invite them again.
    expect((await invite([{ email: forAdmin.email, role: "admin" }])).data.results[0].status).toBe("invited");
    expect((await accept(linkTo(forAdmin.email))).user.role).toBe("admin");
  });
});

test("a weak password leaves the link good, and an address that got an account meanwhile nothing half-done", async () => {
  const { email, token } = await invited();
  expect((await accept(token, "Ada", "password1")).status).toBe(422);
  expect((await check(token)).status).toBe(200);
  const person = { ...newPerson({ email }), role: "user" };
  expect((await admin.call("POST", "/api/admin/users", person)).status).toBe(201);
  const before = await stored();
  expect(await accept(token)).toMatchObject({ status: 409, code: "CONFLICT" });
  expect(await stored()).toEqual(before);
});

test("of many who accept at the same time one gets the account, and of many who invite one sends the email", async () => {
  const { email } = newPerson();
  await Promise.all(Array.from({ length: 5 }, () => invite([{ email }])));
  expect(mailsTo(email)).toHaveLength(1);
  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(linkTo(email))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
});

test("API tokens invite users, and no administrators", async () => {
  const made = await answerOf(
    await admin.call("POST", "/api/admin/tokens", { name: newPerson().email, scopes: ["users:write"] }),
  );
  const asToken = (role: Role) =>
    host.visitor().call(
      "POST",
      path,
      { invitations: [{ email: newPerson().email, role }] },
      {
        authorization: `Bearer ${made.data.token}`,
      },
    );
  expect((await asToken("user")).status).toBe(200);
  expect(await answerOf(await asToken("admin"))).toMatchObject({ status: 403, code: "SESSION_REQUIRED" });
});

describe("emails are limited:", () => {
  test("an invitation is sent again three times a day, also one that was withdrawn in between", async () => {
    const { email } = await invited();
    const again = async () => (await admin.call("POST", `${path}/${email}/resend`)).status;
    expect([await again(), await again()]).toEqual([200, 200]);
    await admin.call("DELETE", `${path}/${email}`);
    expect(await again()).toBe(409);
    await invite([{ email }]);
    expect(await again()).toBe(429);
    expect(mailsTo(email)).toHaveLength(4);
  });

  test("an administrator sends 500 an hour, and the rest are skipped", async () => {
    const inviter = await host.signedIn("admin");
    const some = (amount: number) => Array.from({ length: amount }, () => ({ email: newPerson().email }));
    for (const amount of [200, 200, 99]) await invite(some(amount), inviter);
    const { data } = await invite(some(2), inviter);
    expect(data.results.map(({ reason }: { reason: string | null }) => reason).sort()).toEqual([
      "limit",
      null,
    ]);
  });
});
