import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";

/**
 * Fills the lists of users, messages and mails with so many rows each, then gathers statistics. One user in a thousand is
 * an admin, one in twenty is disabled, a third was never seen; the newest fifth of the messages is open, and one mail in
 * ten was given up. Names are made of common syllables and of rare ones.
 */
export const fillLists = async (db: Database, rows: number): Promise<void> => {
  await db.execute(sql`select setseed(0.42)`);
  await db.execute(sql`
    insert into users (id, name, email, email_key, email_verified_at, password_hash, role, disabled_at, last_seen_at, created_at)
    select gen_random_uuid(), initcap(first) || ' ' || initcap(last), address, address, now(), ${hash},
      case when n % 1000 = 0 then 'admin' else 'user' end, case when n % 20 = 1 then now() end,
      case when n % 3 > 0 then now() - random() * interval '90 days' end, now() - random() * interval '900 days'
    from (${people(rows)}) person`);
  await db.execute(sql`
    insert into contact_messages (id, name, email, subject, message, ip, idempotency_key, content_hash, created_at, read_at, handled_at)
    select gen_random_uuid(), initcap(first) || ' ' || initcap(last), address,
      (array['General', 'Sales', 'Support'])[1 + n % 3], ${words} || first || ' ' || last || ', item ' || n, '203.0.113.7',
      n::text, '', now() - n * interval '7 minutes',
      case when n * 10 > ${rows}::int then now() end, case when n * 5 > ${rows}::int then now() end
    from (${people(rows)}) person`);
  await db.execute(sql`
    insert into mails (id, recipient, subject, status, created_at)
    select gen_random_uuid(), address, (array['Confirm your email address', 'Reset your password', 'Your account'])[1 + n % 3],
      case when n % 10 = 0 then 'dead' else 'sent' end, now() - n * interval '3 minutes'
    from (${people(rows)}) person`);
  for (const table of ["users", "contact_messages", "mails", "list_tallies"])
    await db.execute(sql`vacuum analyze ${sql.identifier(table)}`);
};

const people = (rows: number) => sql`
  select n, first, last, first || '.' || last || n || '@' || place as address from (
    select n, (array['ada', 'grace', 'alan', 'edsger', 'barbara', 'donald', 'tony', 'niklaus', 'john', 'leslie', 'margaret',
        'katherine', 'linus', 'dennis', 'ken', 'guido', 'brian', 'radia'])[1 + (random() * 17)::int] as first,
      substr(md5(n::text), 1, 2 + n % 5)
        || (array['son', 'berg', 'ley', 'man', 'stein', 'ton', 'field', 'wood', 'ova', 'ini'])[1 + (random() * 9)::int] as last,
      (array['example.org', 'mail.example.com', 'navy.example', 'archive.example.net'])[1 + n % 4] as place
    from generate_series(1, ${rows}::int) n offset 0
  ) made`;

// As long as a real one.
const hash = sql.raw(`'$argon2id$v=19$m=19456,t=2,p=1$${"a".repeat(22)}$${"b".repeat(43)}'`);
const words = sql.raw(
  `'${"Hello, I have a question about the invoice that arrived on Monday, and about the next delivery. ".repeat(4)}'`,
);
