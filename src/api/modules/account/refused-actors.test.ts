import { expect, test } from "bun:test";
import type { Context } from "#api/core/context.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { changePassword } from "./change-password.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { linkProvider, unlinkProvider } from "./linked-providers.ts";
import { endOtherSessions, endOwnSession, listOwnSessions, readAccount } from "./operations.ts";

const database = await databaseForFile();
const world = testContext(database);

const provider = "google" as const;
const passwords = { currentPassword: "any", newPassword: "another-horse-entirely", deviceToken: null };
const operations: [name: string, run: (who: Context) => Promise<unknown>][] = [
  ["readAccount", readAccount],
  ["changePassword", (who) => changePassword(who, passwords)],
  ["deleteAccount", (who) => deleteAccount(who, { password: "any" })],
  ["exportAccount", exportAccount],
  ["linkProvider", (who) => linkProvider(who, { provider, browserSecret: null })],
  ["unlinkProvider", (who) => unlinkProvider(who, { provider })],
  ["listOwnSessions", listOwnSessions],
  ["endOtherSessions", endOtherSessions],
  ["endOwnSession", (who) => endOwnSession(who, { id: "none" })],
];

test.each(operations)("%s refuses a visitor and the operator, who have no account", async (_name, run) => {
  const before = await contentsOf(database.db);
  for (const actor of [{ kind: "visitor" }, { kind: "operator" }] as const)
    expect(await failureOf(run(world.as(actor)))).toMatchObject({ kind: "NOT_SIGNED_IN" });
  expect(await contentsOf(database.db)).toEqual(before);
  expect([world.mails, world.published]).toEqual([[], []]);
});
