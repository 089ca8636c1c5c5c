import { expect, test } from "bun:test";
import type { Database } from "#api/core/database.ts";
import { hashToken } from "#api/core/ids.ts";
import { apiTokens } from "#api/db/schema.ts";
import { endSession } from "#api/modules/sessions/index.ts";
import { addMember } from "#api/testing/add-member.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { createToken } from "./change-tokens.ts";

const database = await databaseForFile();

/** A database in which something happens right before each transaction. */
const meanwhile = (db: Database, act: () => Promise<unknown>): Database =>
  new Proxy(db, {
    get: (target, name) => {
      if (name !== "transaction") return Reflect.get(target, name, target);
      return async (run: (tx: Database) => Promise<unknown>) => {
        await act();
        return target.transaction(run);
      };
    },
  });

test("a token that is asked for in a session that ends meanwhile, as by a new password, is not made", async () => {
  const { ctx, token } = await addMember(testContext(database), "admin");
  const input = { name: "ci", scopes: ["*" as const] };
  const late = { ...ctx, db: meanwhile(ctx.db, () => endSession(database.db, hashToken(token))) };
  const refused = await createToken(late, input).catch((error) => error);
  expect(refused).toMatchObject({ kind: "NOT_SIGNED_IN" });
  expect(await database.db.select().from(apiTokens)).toEqual([]);
});
