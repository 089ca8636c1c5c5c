import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import {
  addedNotes,
  addNotes,
  notesIn,
  notesMigration,
  useOwnMigrations,
} from "#api/testing/own-migrations.ts";
import { createRandom } from "#api/testing/random.ts";
import { applyMigrations, removeSchema } from "../rebuild-schema.ts";
import { type DumpOptions, dumpTables } from "./dump-tables.ts";
import { inspectTarget, serverComplaint } from "./inspect-target.ts";
import { abandonLoad, beginLoad, finishLoad, loadPart } from "./load-tables.ts";
import { UnfitPartError } from "./moved-note.ts";
import {
  measureTables,
  refuseUnfinishedLoad,
  type TablePart,
  type TransferDatabase,
  transferTables,
} from "./transfer-tables.ts";

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

/** A migrated database; several statements of it never overlap here, so that all may be done with it. */
const open = async (): Promise<TransferDatabase> => {
  const { db, close } = await openTestDatabase();
  closes.push(close);
  const kind = process.env.TEST_DATABASE_URL ? "postgres" : "embedded";
  return { db, kind, exclusively: (work) => work(poolOf(db)) };
};

/** In tests the pool is what opens the database: its type is only narrowed on the way. */
const poolOf = (db: Database) => db as Parameters<Parameters<TransferDatabase["exclusively"]>[0]>[0];

const partsOf = async (source: TransferDatabase, options?: DumpOptions): Promise<TablePart[]> =>
  Array.fromAsync(dumpTables(source, options));

const textOf = (parts: TablePart[]): string[] =>
  parts.map(({ table, bytes }) => `${table} ${new TextDecoder().decode(bytes)}`);

const countsOf = (parts: TablePart[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { table, rows } of parts) counts[table] = (counts[table] ?? 0) + rows;
  return counts;
};

const bring = async (parts: TablePart[], target: TransferDatabase) => {
  const load = await beginLoad(target, { how: "Do it again." });
  for (const part of parts) await loadPart(target, load, part);
  return finishLoad(target, load, { expected: countsOf(parts) });
};

/** Everything about the shape of a database that a load touches for a time. */
const shapeOf = async ({ db }: TransferDatabase) => ({
  triggers: await db.execute(
    sql`select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
  ),
  indexes: await db.execute(sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
});

const hostile = [
  "",
  "null",
  "\\u0000",
  '{"a":"\\u0000"}',
  "\u{1f980} \u0001\u001f\u007f\u2028\ufeff",
  "a\nb\r\n\t'\"\\",
  "\\x00",
];

const fill = async ({ db }: TransferDatabase): Promise<void> => {
  const ctx = testContext({ db, actor: { kind: "operator" } });
  const facts = randomFacts(createRandom(7), { count: 60, end: ctx.clock.now(), spanMs: 1e9 });
  await fillActivity(ctx, facts);
  for (const [at, text] of hostile.entries()) {
    await db.execute(sql`insert into plugin_kv (plugin, key, value, version, expires_at)
      values ('notes', ${text}, ${text}, ${["0", "-1", "9007199254740993", "9223372036854775807"][at % 4] ?? "0"}::bigint,
        ${[null, "infinity", "-infinity", "2026-01-02 03:04:05.123456+07", "0044-03-15 BC"][at % 5]}::timestamptz)`);
    await db.execute(sql`insert into settings (section, value, updated_at)
      values (${`s${at}`}, ${["null", '"null"', "[]", '{"b":1,"a":1.10000000000000000001}', "1e400", "true", '"\\ud83e\\udd80"'][at]}::text::jsonb, now())`);
  }
  await db.execute(
    sql`insert into users (id, name, email, email_key) select gen_random_uuid(), 'n' || i, 'e', 'k' || i from generate_series(1, 25) i`,
  );
  await db.execute(sql`insert into sessions (token_hash, id, user_id, ip, last_used_at, expires_at)
    select 'h' || name, gen_random_uuid(), id, '::1', now(), now() from users`);
  await db.execute(sql`insert into setting_changes (section, changed_at, changed_by, fields)
    select 'core', clock_timestamp(), 'x', '[]' from generate_series(1, 5)`);
  await db.execute(sql`delete from setting_changes where id > 3`);
  await db.execute(sql`insert into stored_object_parts (version, part, content)
    select 'v', i, decode(repeat(md5(i::text), 5000), 'hex') from generate_series(0, 9) i`);
  await db.execute(sql`insert into stored_object_parts values ('empty', 0, '')`);
};

test("rows that a crash would remove stay where they are", async () => {
  const source = await open();
  await source.db.execute(sql`
    insert into rate_counts (key, moments, counts, granted, wanted, max, window_ms, grain, expires_at)
    values ('k', '{1}', '{1}', 1, 1, 1, 1, 1, now() + interval '1 hour')`);
  expect((await partsOf(source)).map(({ table }) => table)).not.toContain("rate_counts");
});

test("every table of a migrated database is one that is moved, behind those that it refers to", async () => {
  const { db } = await open();
  const tables = await transferTables(db);
  const names = tables.map(({ name }) => name);
  const rows = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'drizzle')`,
  );
  expect(names.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  for (const { name, refersTo } of tables)
    for (const other of refersTo) expect(names.indexOf(other)).toBeLessThan(names.indexOf(name));
});

describe("what is moved", () => {
  test("arrives byte for byte, in parts of any size, with guards and indexes as before", async () => {
    const [source, target] = [await open(), await open()];
    const shape = await shapeOf(target);
    await fill(source);
    const parts = await partsOf(source, { partBytes: 9_000, partRows: 7 });
    expect(parts.every(({ rows }) => rows <= 7)).toBe(true);
    const report = await bring(parts, target);
    expect(report.tables.find(({ table }) => table === "activities")?.rows).toBeGreaterThanOrEqual(60);
    const [before, after] = [textOf(await partsOf(source)), textOf(await partsOf(target))];
    const withoutTransaction = (text: string) => text.replace(/"head_xid":\d+/, '"head_xid":null');
    expect(after).toEqual(before.map(withoutTransaction));
    expect(await shapeOf(target)).toEqual(shape);
    expect(await failureOf(Promise.resolve(target.db.execute(sql`delete from activities`)))).toBeDefined();
  });

  test("counts on where the source stopped counting", async () => {
    const [source, target] = [await open(), await open()];
    await fill(source);
    await bring(await partsOf(source), target);
    const [next] = await target.db.execute<{
      id: string;
    }>(sql`insert into setting_changes (section, changed_at, changed_by, fields)
      values ('core', now(), 'x', '[]') returning id::text`);
    expect(next?.id).toBe("6");
  });

  test("is read in parts that hold one row where a row is larger than a part", async () => {
    const source = await open();
    await source.db.execute(sql`insert into stored_object_parts (version, part, content)
      select 'big', i, decode(repeat('00ff', 3 * 1024 * 1024), 'hex') from generate_series(0, 1) i`);
    const parts = (await partsOf(source)).filter(({ table }) => table === "stored_object_parts");
    expect(parts.map(({ rows }) => rows)).toEqual([1, 1]);
    const target = await open();
    await bring(await partsOf(source), target);
    const [row] = await target.db.execute(
      sql`select bool_and(content = decode(repeat('00ff', 3 * 1024 * 1024), 'hex')) as same from stored_object_parts`,
    );
    expect(row).toEqual({ same: true });
  });
});

describe("a target", () => {
  test("with a row in it is refused and left as it is", async () => {
    const target = await open();
    await target.db.execute(sql`insert into mail_cooldowns values ('ada', now())`);
    const before = textOf(await partsOf(target));
    expect((await inspectTarget(target.db)).obstacle).toContain("already contains data");
    expect(await failureOf(beginLoad(target, { how: "" }))).toMatchObject({ name: "TransferError" });
    expect(textOf(await partsOf(target))).toEqual(before);
  });

  test.each([
    [{ number: 140_011, version: "14.11" }, "PostgreSQL 14.11; version 15 or newer"],
    [{ encoding: "SQL_ASCII" }, "must be UTF8"],
    [{ isReadOnly: true }, "accepts no writes"],
    [{ hasTrigrams: false }, "lacks the extension pg_trgm"],
    [{ mayCreateSchemas: false }, 'run in it: grant create on database "b" to "ada";'],
    [{ mayCreateTables: false }, 'run in it: grant usage, create on schema "public" to "ada";'],
    [{ schema: "ada" }, 'alter role "ada" set search_path = public'],
    [{ mayUseList: false }, 'schema "drizzle" in the database "b" belongs to another role'],
  ])("that will not do (%o) is told why", (facts, words) => {
    const server = { version: "18.1", number: 180_001, encoding: "UTF8", isReadOnly: false };
    const rights = { mayCreateSchemas: true, mayCreateTables: true, mayUseList: true };
    const good = { ...server, ...rights, hasTrigrams: true, database: "b", role: "ada", schema: "public" };
    expect(serverComplaint(good)).toBeNull();
    expect(serverComplaint({ ...good, ...facts })).toContain(words);
  });
});

describe("a load that is not finished", () => {
  test("keeps every server from starting, and says how to continue", async () => {
    const target = await open();
    await beginLoad(target, { how: "Do it again." });
    expect(await failureOf(refuseUnfinishedLoad(target.db))).toMatchObject({
      name: "UnusableInstallationError",
      message: expect.stringContaining("Do it again."),
    });
    expect(await failureOf(partsOf(target))).toMatchObject({ name: "UnusableInstallationError" });
  });

  test("starts again from nothing; the previous one can no longer write", async () => {
    const [source, target] = [await open(), await open()];
    const shape = await shapeOf(target);
    await fill(source);
    const parts = await partsOf(source);
    const first = await beginLoad(target, { how: "" });
    for (const part of parts.slice(0, -5)) await loadPart(target, first, part);
    const report = await bring(parts, target);
    expect(report.rows).toBe(
      Object.entries(countsOf(parts)).reduce(
        (sum, [name, rows]) => sum + (name === "#sequences" ? 0 : rows),
        0,
      ),
    );
    expect(await failureOf(loadPart(target, first, parts[0] ?? (parts[1] as TablePart)))).toMatchObject({
      name: "TransferError",
    });
    expect(await shapeOf(target)).toEqual(shape);
  });

  test("is given up without a trace", async () => {
    const [source, target] = [await open(), await open()];
    const [shape, before] = [await shapeOf(target), textOf(await partsOf(target))];
    await fill(source);
    const load = await beginLoad(target, { how: "" });
    for (const part of await partsOf(source)) await loadPart(target, load, part);
    expect(await abandonLoad(target, load)).toBe(true);
    expect(await shapeOf(target)).toEqual(shape);
    expect(textOf(await partsOf(target)).filter((text) => !text.startsWith("installation"))).toEqual(
      before.filter((text) => !text.startsWith("installation")),
    );
    expect((await inspectTarget(target.db)).obstacle).toBeNull();
  });

  test("takes no numbering that would soon be at its end", async () => {
    const [source, target] = [await open(), await open()];
    const parts = await partsOf(source);
    const states = parts.find(({ table }) => table === "#sequences");
    if (states === undefined) throw new Error("no sequences were dumped");
    const load = await beginLoad(target, { how: "" });
    const [line = ""] = new TextDecoder().decode(states.bytes).split("\n");
    for (const last of ["9223372036854775807", "9223372036854775808", "-1", "x"]) {
      const bytes = new TextEncoder().encode(JSON.stringify({ ...JSON.parse(line), last }));
      const failure = await failureOf(loadPart(target, load, { ...states, rows: 1, bytes }));
      expect(failure).toBeInstanceOf(UnfitPartError);
    }
  });

  test("is not finished while rows are missing", async () => {
    const [source, target] = [await open(), await open()];
    await fill(source);
    const parts = await partsOf(source);
    const load = await beginLoad(target, { how: "" });
    for (const part of parts) if (part.table !== "sessions") await loadPart(target, load, part);
    const failure = await failureOf(finishLoad(target, load, { expected: countsOf(parts) }));
    expect(failure).toMatchObject({ message: "Not everything arrived: sessions has 0 rows instead of 25" });
    expect(await failureOf(refuseUnfinishedLoad(target.db))).toMatchObject({
      name: "UnusableInstallationError",
    });
  });
});

describe("tables of own features", () => {
  let end = () => {};
  beforeAll(() => {
    end = useOwnMigrations(notesMigration);
  });
  afterAll(() => end());

  const openOwn = async (): Promise<TransferDatabase> => {
    const opened = await open();
    await applyMigrations(opened.db);
    return opened;
  };

  test("are moved, measured, and removed with the rest", async () => {
    const [source, target] = [await openOwn(), await openOwn()];
    await addNotes(source.db);
    await bring(await partsOf(source), target);
    expect(await notesIn(target.db)).toEqual(addedNotes);
    expect(await measureTables(target.db)).toContainEqual({
      ...{ table: "app.notes", rows: 1, bytes: expect.any(Number) },
    });
    await target.db.transaction((tx) => removeSchema(tx));
    const [row] = await target.db.execute(sql`select to_regnamespace('app') as app`);
    expect(row).toEqual({ app: null });
  });

  test("are made again by the next start where a load was given up", async () => {
    const [source, target] = [await openOwn(), await openOwn()];
    await addNotes(source.db);
    const load = await beginLoad(target, { how: "Do it again." });
    for (const part of await partsOf(source)) await loadPart(target, load, part);
    expect(await abandonLoad(target, load)).toBe(true);
    await applyMigrations(target.db);
    expect(await notesIn(target.db)).toMatchObject({ notes: null, kinds: "made by the migration" });
  });
});
