import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { noteScheduled } from "#api/modules/backups/index.ts";
import { noSchedule } from "#api/modules/backups/schedule.ts";
import { writeSchedule } from "#api/modules/backups/store.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { tidyRestored } from "./settle-restored.ts";

test("API tokens of a restored backup are revoked, because some may have been since it was made", async () => {
  const { db, close } = await openTestDatabase();
  await db.execute(sql`
    insert into api_tokens (id, name, token_hash, hint, scopes, allowed_networks, revoked_at) values
      (gen_random_uuid(), 'ci', 'one', 'abcd', '["*"]', '[]', null),
      (gen_random_uuid(), 'old', 'two', 'abcd', '["*"]', '[]', '2026-01-01T00:00:00Z')`);
  expect(await db.transaction(tidyRestored)).toMatchObject({ apiTokens: 1, sessions: 0, links: 0 });
  const rows = await db.execute(sql`select extract(year from revoked_at)::int as year from api_tokens
    where revoked_at <> '2026-01-01T00:00:00Z' or revoked_at is null`);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.year).toBeNumber();
  await close();
});

test("the schedule of backups stays on and is told, but no backup counts as its own, which it might remove", async () => {
  const { db, close } = await openTestDatabase();
  await writeSchedule(db, { ...noSchedule, isEnabled: true, place: "storage" }, new Date());
  await noteScheduled(db, "atrium-scheduled-20260101T030000Z-0a1b2c.tar.zst");
  expect(await db.transaction(tidyRestored)).toMatchObject({ scheduledTo: "storage" });
  const kept = await db.execute(sql`select key from installation where key like 'backups.%'`);
  expect([...kept]).toEqual([{ key: "backups.schedule" }]);
  await close();
});
