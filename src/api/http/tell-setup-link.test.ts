import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { until } from "#api/testing/until.ts";
import { tellSetupLink } from "./starting-answer.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const link = expect.stringMatching(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/);

test("the link of an installation without users is known once the first try is over", async () => {
  const links: string[] = [];
  const end = await tellSetupLink(testContext(database), { tell: (told) => links.push(told) });
  end();
  expect(links).toEqual([link]);
});

test("a database that does not answer for it is asked again, and the log says so", async () => {
  const links: string[] = [];
  const ctx = testContext(database);
  await database.db.execute(sql`alter table users rename to users_away`);
  const end = await tellSetupLink(ctx, { tell: (told) => links.push(told), retryMs: 20 });
  expect(links).toEqual([]);
  await database.db.execute(sql`alter table users_away rename to users`);
  await until(() => links.length > 0);
  end();
  expect(links).toEqual([link]);
  expect(ctx.logged[0]).toMatchObject({
    level: "warn",
    message: "the link for the first administrator could not be made yet",
  });
});
