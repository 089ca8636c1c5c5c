import { describe, expect, test } from "bun:test";
import { sql, TransactionRollbackError } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { listMessages } from "#api/modules/contact/messages.ts";
import { listMails } from "#api/modules/mail/operations.ts";
import { listUsers } from "#api/modules/users/list-users.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { fillLists } from "#api/testing/fill-lists.ts";
import { sortOrders, userSorts } from "#contract/users.ts";
import { type LongList, nearerEnd } from "./long-lists.ts";

const rows = 5_000;
const database = await databaseForFile();
await fillLists(database.db, rows);

/** What was scanned of a list's table while `ask` ran: its indexes by name, and itself as "all rows". */
const scannedBy = async (list: LongList, ask: (db: Database) => Promise<unknown>): Promise<string[]> => {
  let scanned: string[] = [];
  const asking = database.db.transaction(async (tx) => {
    // So few rows are sometimes read faster as a whole; without an index for it, they still would be.
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_sort = off`);
    const before = await scansOf(tx, list);
    await ask(tx);
    const after = await scansOf(tx, list);
    scanned = [...after].flatMap(([name, scans]) => (scans > (before.get(name) ?? 0) ? [name] : []));
    tx.rollback();
  });
  await asking.catch((error) => {
    if (!(error instanceof TransactionRollbackError)) throw error;
  });
  return scanned;
};

/** How often each was scanned; a server's connection still knows of its last transactions. */
const scansOf = async (tx: Database, list: LongList): Promise<Map<string, number>> => {
  const rows = await tx.execute<{ name: string; scans: number }>(sql`
    select case when c.relkind = 'r' then 'all rows' else c.relname end as name,
      pg_stat_get_xact_numscans(c.oid)::int as scans
    from pg_class c left join pg_index i on i.indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) = ${list}::text::regclass`);
  return new Map(rows.map(({ name, scans }) => [name, scans]));
};

const contextOf = (db: Database) => testContext({ db, actor: { kind: "operator" } });
const page = { limit: 25, offset: 0, search: "" };
const usersBy = (input: Partial<Parameters<typeof listUsers>[1]>) => (db: Database) =>
  listUsers(contextOf(db), { ...page, ...input });

describe("a long list is read by its indexes, never as a whole:", () => {
  const byName = { created: "newest", name: "name", email: "email", lastSeen: "last_seen" } as const;
  for (const sort of userSorts)
    test(`users by ${sort}, either way, wherever the page is`, async () => {
      for (const order of sortOrders)
        for (const offset of [0, rows / 2 - 100, rows - 50]) {
          const scanned = await scannedBy("users", usersBy({ sort, order, offset }));
          expect([order, offset, scanned]).toEqual([
            order,
            offset,
            expect.arrayContaining([`users_${byName[sort]}`]),
          ]);
          expect(scanned).not.toContain("all rows");
        }
    });

  test("the few users of a kind, and what a search finds", async () => {
    expect(await scannedBy("users", usersBy({ role: "admin", sort: "name" }))).not.toContain("all rows");
    const searched = await scannedBy("users", usersBy({ search: "zqx" }));
    expect(searched).toContain("users_search");
    expect(searched).not.toContain("all rows");
  });

  test("messages", async () => {
    const messagesBy = (input: object) => (db: Database) =>
      listMessages(contextOf(db), { ...page, ...input });
    for (const [input, index] of [
      [{ offset: rows / 2 - 100 }, "created"],
      [{ status: "open" }, "open"],
      [{ status: "handled" }, "handled"],
      [{ search: "zqx" }, "search"],
    ] as const) {
      const scanned = await scannedBy("contact_messages", messagesBy(input));
      expect([index, scanned]).toEqual([index, expect.arrayContaining([`contact_messages_${index}`])]);
      expect(scanned).not.toContain("all rows");
    }
  });

  test("emails", async () => {
    const mailsBy = (input: object) => (db: Database) =>
      listMails(contextOf(db), { limit: 25, search: "", ...input });
    for (const [input, index] of [
      [{}, "created"],
      [{ status: "dead" }, "status"],
      [{ search: "zqx" }, "search"],
    ] as const) {
      const scanned = await scannedBy("mails", mailsBy(input));
      expect([index, scanned]).toEqual([index, expect.arrayContaining([`mails_${index}`])]);
      expect(scanned).not.toContain("all rows");
    }
  });

  test("without its index it is seen to be read as a whole", async () => {
    const scanned = await scannedBy("users", async (db) => {
      await db.execute(sql`drop index users_name`);
      await usersBy({ sort: "name" })(db);
    });
    expect(scanned).toContain("all rows");
  });
});

describe("the counts by kind", () => {
  test("equal a full count after additions, changes and removals", async () => {
    const { db } = database;
    await db.execute(sql`update users set disabled_at = now() where email_key like '%7@%'`);
    await db.execute(sql`update users set last_seen_at = now() where email_key like '%8@%'`);
    await db.execute(sql`delete from users where email_key like '%9@%'`);
    await db.execute(
      sql`update contact_messages set read_at = now(), handled_at = now() where subject = 'Sales'`,
    );
    await db.execute(sql`update mails set status = 'sent' where status = 'dead'`);
    const counted = await db.execute<{ list: string; kind: string; rows: number }>(sql`
      select 'users' as list, role || '/' || case when disabled_at is null then 'active' else 'disabled' end as kind,
        count(*)::int as rows from users group by kind
      union all select 'contact_messages', subject || '/' || case when handled_at is null then 'open' else 'handled' end
        || '/' || case when read_at is null then 'unread' else 'read' end as kind, count(*)::int from contact_messages group by kind
      union all select 'mails', status, count(*)::int from mails group by status order by 1, 2`);
    const kept = await db.execute<{ list: string; kind: string; rows: number }>(sql`
      select list, kind, sum(rows)::int as rows from list_tallies group by list, kind having sum(rows) <> 0 order by 1, 2`);
    expect([...kept]).toEqual([...counted]);
  });

  test("are right with many simultaneous writers, of which none waits for another", async () => {
    const before = await listUsers(contextOf(database.db), page);
    const add = (n: number) =>
      database.db.execute(sql`
        insert into users (id, name, email, email_key) select gen_random_uuid(), 'One of many', ${`many${n}@example.test`}, ${`many${n}@example.test`}`);
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)));
    const { pagination } = await listUsers(contextOf(database.db), page);
    expect(pagination.total).toBe(before.pagination.total + 20);
  });
});

describe("a page", () => {
  test("is the same from either end", async () => {
    const ctx = contextOf(database.db);
    const every: string[] = [];
    const { pagination } = await listUsers(ctx, page);
    for (let offset = 0; offset < pagination.total; offset += 100) {
      const { users } = await listUsers(ctx, { ...page, limit: 100, offset, sort: "lastSeen" });
      every.push(...users.map(({ id }) => id));
    }
    const wanted = await database.db.execute<{ id: string }>(
      sql`select id from users order by last_seen_at desc nulls last, id desc nulls last`,
    );
    expect(every).toEqual(wanted.map(({ id }) => id));
  });

  test("beyond the end is empty, and the last may be short", () => {
    const counted = { total: 110, totalIsEstimate: false };
    expect(nearerEnd({ limit: 25, offset: 100 }, counted)).toEqual({ limit: 10, offset: 0, isFromEnd: true });
    expect(nearerEnd({ limit: 25, offset: 75 }, counted)).toEqual({ limit: 25, offset: 10, isFromEnd: true });
    expect(nearerEnd({ limit: 25, offset: 50 }, counted)).toEqual({
      limit: 25,
      offset: 50,
      isFromEnd: false,
    });
    expect(nearerEnd({ limit: 25, offset: 500 }, counted)).toMatchObject({ limit: 0, isFromEnd: true });
  });

  test("of a search with more than 1,000 matches says that there are more, and continues", async () => {
    const { users, pagination } = await listUsers(contextOf(database.db), {
      ...page,
      search: "EXAMPLE",
      offset: 2_000,
    });
    expect(pagination).toMatchObject({ total: 1_000, totalIsEstimate: true });
    expect(users).toHaveLength(25);
  });
});
