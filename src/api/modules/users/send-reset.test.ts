import { expect, test } from "bun:test";
import { login } from "#api/modules/auth/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { disableUser, sendReset } from "./change-users.ts";

const database = await databaseForFile();
const ctx = testContext({ ...database, actor: { kind: "operator" } });

test("E3: a link is emailed to the stored address, and the old password continues working", async () => {
  const person = newPerson({ email: `Grace.${crypto.randomUUID()}@example.test` });
  await addUser(ctx, person);
  expect(await sendReset(ctx, { user: person.email.toUpperCase() })).toEqual({ email: person.email });
  expect(ctx.mails).toMatchObject([{ to: person.email, link: expect.stringContaining("/reset-password") }]);
  expect((await login(ctx, person)).user.email).toBe(person.email);
});

test("a disabled user is emailed nothing, and nothing changes", async () => {
  const user = await addUser(ctx, newPerson());
  await disableUser(ctx, { user: user.id });
  const [before, mailed] = [await contentsOf(database.db), ctx.mails.length];
  const failure = await failureOf(sendReset(ctx, { user: user.id }));
  expect(failure).toMatchObject({ kind: "CONFLICT", message: "This account is disabled; enable it first" });
  expect(await contentsOf(database.db)).toEqual(before);
  expect(ctx.mails).toHaveLength(mailed);
});
