import { expect, test } from "bun:test";
import { login, register } from "#api/modules/auth/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { newPerson } from "#api/testing/people.ts";
import { createUser } from "./change-users.ts";
import { countUsers } from "./list-users.ts";

const database = await databaseForFile();

test.each(["user", "admin"] as const)(
  "a new %s counts as verified and can sign in immediately",
  async (role) => {
    const ctx = testContext({ ...database, actor: { kind: "operator" } });
    const person = newPerson({ name: " Grace Hopper " });
    const user = await createUser(ctx, { ...person, role });
    expect(user).toMatchObject({ name: "Grace Hopper", email: person.email, role, emailVerified: true });
    expect((await login(ctx, person)).user).toEqual(user);
    expect(ctx.mails).toEqual([]);
  },
);

test("an address that is taken, in any spelling, is refused on its field and changes nothing", async () => {
  const ctx = testContext({ ...database, actor: { kind: "operator" } });
  const { email } = await createUser(ctx, { ...newPerson(), role: "user" });
  const before = await contentsOf(database.db);
  const again = createUser(ctx, { ...newPerson({ email: ` ${email.toUpperCase()}` }), role: "admin" });
  const message = "A user with this email address already exists";
  expect(await failureOf(again)).toMatchObject({
    kind: "CONFLICT",
    message,
    errors: [{ path: "email", message }],
  });
  expect(await contentsOf(database.db)).toEqual(before);
});

test("W3: a common or personal password is refused and changes nothing", async () => {
  const ctx = testContext({ ...database, actor: { kind: "operator" } });
  const before = await contentsOf(database.db);
  for (const password of ["football", "Ada.Example1"]) {
    const attempt = createUser(ctx, { ...newPerson({ password }), role: "admin" });
    expect(await failureOf(attempt)).toMatchObject({
      kind: "VALIDATION_FAILED",
      errors: [{ path: "password" }],
    });
  }
  expect(await contentsOf(database.db)).toEqual(before);
});

test("registrations of the address that wait for their link end", async () => {
  const ctx = testContext({ ...database, actor: { kind: "operator" } });
  const stranger = newPerson();
  await register(ctx, stranger);
  const before = await countUsers(ctx);
  await createUser(ctx, { ...stranger, password: "the-owners-own-words", role: "user" });
  expect(await countUsers(ctx)).toEqual({
    total: before.total + 1,
    admins: before.admins,
    pending: before.pending - 1,
  });
  expect(await failureOf(login(ctx, stranger))).toMatchObject({ kind: "INVALID_CREDENTIALS" });
});

test("of twenty additions of one address at the same time exactly one succeeds", async () => {
  const ctx = testContext({ ...database, actor: { kind: "operator" } });
  const person = newPerson();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => createUser(ctx, { ...person, role: "user" })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ kind: "CONFLICT" });
  }
});
