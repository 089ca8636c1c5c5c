import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { handleForFile } from "#api/testing/database-for-file.ts";

const opened = await handleForFile();

test("each statement is counted, those of transactions and savepoints too, and what the database refused apart", async () => {
  const { db, queries } = opened.handle;
  queries.count(null);
  const before = { finished: queries.finished, refused: queries.refused };
  await db.execute(sql`select 1`);
  // Its begin is a statement as well.
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 2`);
    await tx.transaction((inner) => inner.execute(sql`select 3`)).catch(() => {});
  });
  await db.execute(sql`select nothing_like_it`).catch(() => {});
  expect(queries.finished - before.finished).toBe(5);
  expect(queries.refused - before.refused).toBe(1);
  expect([queries.underWay, queries.lost, queries.totalMs > 0]).toEqual([0, 0, true]);
});

test("who follows hears each statement's text and how it ended, never its values", async () => {
  const { db, queries } = opened.handle;
  const heard: [string, boolean][] = [];
  queries.count((text) => (hasFailed) => void heard.push([text, hasFailed]));
  await db.execute(sql`select ${"a secret"}::text as answer`);
  await db.execute(sql`select wrong`).catch(() => {});
  queries.count(null);
  await db.execute(sql`select 5`);
  expect(heard).toEqual([
    ["select $1::text as answer", false],
    ["select wrong", true],
  ]);
});

test("connections are counted as they are opened, within what may be", async () => {
  await opened.handle.db.execute(sql`select 1`);
  const { open, most } = opened.handle.connections();
  expect(open).toBeGreaterThan(0);
  expect(open).toBeLessThanOrEqual(most);
});
