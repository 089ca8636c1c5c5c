import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { thisProgram } from "#api/db/migration-journal.ts";
import { makeDataFolder } from "./data-folder.ts";

/**
 * Makes these the migrations of own features until what it returns is called; older than the product's newest, as after a
 * merge.
 */
export const useOwnMigrations = (...statements: string[]): (() => void) => {
  const former = thisProgram.ownMigrations;
  const folder = makeDataFolder();
  mkdirSync(join(folder.path, "meta"));
  const entries = statements.map((text, at) => {
    const tag = `000${at}_notes`;
    writeFileSync(join(folder.path, `${tag}.sql`), text);
    return { idx: at, version: "7", when: 1_000 + at, tag, breakpoints: true };
  });
  writeFileSync(join(folder.path, "meta/_journal.json"), JSON.stringify({ entries }));
  thisProgram.ownMigrations = folder.path;
  return () => {
    thisProgram.ownMigrations = former;
    folder.remove();
  };
};

/** An own feature's migration: notes of users, and kinds, one of which it adds itself. */
export const notesMigration = `create schema "app";
--> statement-breakpoint
create table "app"."notes" (number bigserial primary key, user_id uuid not null references users on delete cascade, body text, "line" text, "size" int, "Rows" jsonb);
--> statement-breakpoint
create index notes_body on "app"."notes" (body);
--> statement-breakpoint
create table app.kinds (name text primary key);
--> statement-breakpoint
insert into app.kinds values ('made by the migration');`;

/** Adds a user with a note, and another kind. */
export const addNotes = async (db: Database): Promise<void> => {
  await db.execute(sql`
    insert into users (id, name, email, email_key) values (gen_random_uuid(), 'Ada', 'ada@example.test', 'ada@example.test')`);
  await db.execute(sql`insert into app.notes (user_id, body) select id, 'Hello' from users`);
  await db.execute(sql`insert into app.kinds values ('added later')`);
};

/** What is in the tables of the notes; takes the next number of one. */
export const notesIn = async (db: Database) => {
  const [row] = await db.execute<Record<string, unknown>>(sql`
    select (select string_agg(name || ': ' || body, ' ') from app.notes join users on users.id = user_id) as notes,
      (select string_agg(name, ', ' order by name) from app.kinds) as kinds, nextval('app.notes_number_seq')::int as next,
      (select count(*)::int from pg_indexes where indexname = 'notes_body') as indexes`);
  return row;
};

/** The same after {@link addNotes}. */
export const addedNotes = {
  notes: "Ada: Hello",
  kinds: "added later, made by the migration",
  next: 2,
  indexes: 1,
};
