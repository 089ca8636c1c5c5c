import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { contactMessages, pendingRegistrations, sessions, users } from "#api/db/schema.ts";
import { jobContext } from "#api/http/server/serve.ts";
import { disableUser } from "#api/modules/users/change-users.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { AppError, validationError } from "./app-error.ts";
import type { BeforeHooks } from "./context.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
afterEach(() => haveAll({}));

const haveAll = (before: Partial<BeforeHooks>): void =>
  void Object.assign(host.services, { beforeHooks: [{ feature: "boats", before }] });
const have = (hook: BeforeHooks["user.delete"]): void => haveAll({ "user.delete": hook });

const isThere = async ({ user }: TestClient): Promise<boolean> =>
  (
    await host.db
      .select()
      .from(users)
      .where(eq(users.id, user?.id ?? ""))
  ).length === 1;

describe.each([
  ["its owner", (member: TestClient) => member.call("DELETE", "/api/account", { password: testPassword })],
  ["an administrator", (member: TestClient) => admin.call("DELETE", `/api/admin/users/${member.user?.id}`)],
])("before an account is deleted by %s a feature", (_, remove) => {
  test("acts in the same transaction", async () => {
    const member = await host.signedIn("user");
    const name = `last seen with ${member.user?.id}`;
    have(async (_ctx, tx, { id }) => {
      expect(id).toBe(String(member.user?.id));
      await tx
        .update(users)
        .set({ name })
        .where(eq(users.id, String(admin.user?.id)));
    });
    expect((await remove(member)).status).toBe(200);
    const [row] = await host.db.select().from(users).where(eq(users.name, name));
    expect([row?.id, await isThere(member)]).toEqual([admin.user?.id, false]);
  });

  test.each([
    [
      "refuses it with words of its own",
      new AppError("CONFLICT", "Sell the boat first"),
      409,
      "Sell the boat first",
    ],
    ["ends it with whatever it throws, which the log has", new Error("leak"), 500, "Something went wrong"],
  ])("%s", async (_title, error, status, message) => {
    const member = await host.signedIn("user");
    have(async (_ctx, tx, { id }) => {
      await tx.update(users).set({ name: "Gone" }).where(eq(users.id, id));
      throw error;
    });
    const answer = await remove(member);
    expect([answer.status, (await answer.json()).message]).toEqual([status, message]);
    const [row] = await host.db
      .select()
      .from(users)
      .where(eq(users.id, member.user?.id ?? ""));
    expect(row?.name).toBe(String(member.user?.name));
    if (status === 500)
      expect(JSON.stringify(host.logs.filter(({ level }) => level === "error").at(-1))).toContain(
        "the feature boats failed before user.delete",
      );
  });
});

describe("before a change a feature is asked, and what it refuses does not happen", () => {
  const refusal = validationError([{ path: "email", message: "No boats here" }]);
  const email = "ada@b.example";
  const signIn = ({ user }: TestClient) =>
    host.visitor().call("POST", "/api/auth/login", { email: user?.email, password: testPassword });
  const message = { name: "Ada", email, subject: "Sales", message: "Hello" };
  const change = ({ user }: TestClient, method: string, deed: string, body?: object) =>
    admin.call(method, `/api/admin/users/${user?.id}/${deed}`, body);

  test.each([
    [
      "user.register",
      () => host.visitor().call("POST", "/api/auth/register", { name: "Ada", email, password: testPassword }),
      { name: "Ada", email },
      pendingRegistrations,
    ],
    ["user.login", signIn, { email: expect.stringContaining("@") }, sessions],
    [
      "user.update",
      (member: TestClient) => change(member, "POST", "disable"),
      { change: { disabled: true } },
      users,
    ],
    [
      "user.update",
      (member: TestClient) => change(member, "PUT", "role", { role: "admin" }),
      { change: { role: "admin" } },
      users,
    ],
    [
      "contact.send",
      () => host.visitor().call("POST", "/api/contact", message),
      { ...message, userId: null },
      contactMessages,
    ],
  ] as const)("%s", async (name, act, about, table) => {
    const asked: unknown[] = [];
    const member = await host.signedIn("user");
    haveAll({
      [name]: async (_ctx: unknown, _tx: unknown, input: unknown) => {
        asked.push(input);
        throw refusal;
      },
    });
    const before = await host.db.select().from(table);
    const answer = await act(member);
    expect([answer.status, (await answer.json()).errors]).toEqual([
      422,
      [{ path: "email", message: "No boats here" }],
    ]);
    expect(asked).toMatchObject([about]);
    expect(await host.db.select().from(table)).toEqual(before);
  });

  test("administrators sign in whatever a feature says", async () => {
    haveAll({ "user.login": () => Promise.reject(refusal) });
    expect((await signIn(admin)).status).toBe(200);
  });

  test("the operator is not asked", async () => {
    haveAll({ "user.update": () => Promise.reject(refusal) });
    const operator = jobContext(host.services);
    const disabled = await disableUser(operator, { user: String((await host.signedIn("user")).user?.id) });
    expect(disabled.disabled).toBe(true);
  });
});
