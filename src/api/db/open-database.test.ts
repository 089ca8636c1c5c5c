import { beforeAll, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { until } from "#api/testing/until.ts";
import { databaseError, isUniqueViolation, sqlStateOf } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { prepared } from "./prepared.ts";
import { installation } from "./schema.ts";

const database = await handleForFile();
const db = () => database.handle.db;

beforeAll(async () => {
  await migrate(database.handle);
});

/** Creates a row with a name of its own. */
const addRow = async (key: string, value = "0"): Promise<void> => {
  await db().insert(installation).values({ key, value });
};

const storedValue = async (key: string): Promise<string | null> => {
  const [row] = await db().select().from(installation).where(eq(installation.key, key));
  return row?.value ?? null;
};

test("a hundred transactions that read, add one and write at the same time lose no addition", async () => {
  await addRow("counter");
  await Promise.all(
    Array.from({ length: 100 }, () =>
      db().transaction(async (tx) => {
        const [row] = await tx
          .select()
          .from(installation)
          .where(eq(installation.key, "counter"))
          .for("update");
        await tx
          .update(installation)
          .set({ value: String(Number(row?.value) + 1) })
          .where(eq(installation.key, "counter"));
      }),
    ),
  );
  expect(await storedValue("counter")).toBe("100");
});

test("a transaction that fails leaves nothing, while others beside it commit", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      db().transaction(async (tx) => {
        await tx.insert(installation).values({ key: `mixed-${index}`, value: "x" });
        if (index % 2 === 0) throw new Error("changed my mind");
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(10);
  const rows = await db().select({ key: installation.key }).from(installation).where(sql`key like 'mixed-%'`);
  expect(rows.map(({ key }) => Number(key.slice(6)) % 2)).toEqual(Array(10).fill(1));
});

test("two hundred simultaneous prepared queries each get their own answer", async () => {
  const numbered = prepared((on) =>
    on
      .select({ n: sql<number>`${sql.placeholder("n")}::int` })
      .from(sql`(select 1) as one`)
      .prepare("numbered"),
  );
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => numbered(db()).execute({ n })));
  expect(answers.map((rows) => rows[0]?.n)).toEqual(Array.from({ length: 200 }, (_, n) => n));
});

test("a transaction that begins behind as many statements as a connection takes has one to itself", async () => {
  const look = () => lookUp(db()).execute({ key: "nobody" });
  // Statements go out in one packet only where they are prepared already.
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 50 }, look));
  for (const statements of fullPipelines) {
    const looks = Array.from({ length: statements }, look);
    await null;
    const begun = Array.from({ length: 10 }, (_, n) =>
      db().transaction(async (tx) => {
        await tx.insert(installation).values({ key: `behind ${statements} ${n}`, value: "x" });
        if (n % 2) throw new Error("changed my mind");
      }),
    );
    const [outcomes] = await Promise.all([Promise.allSettled(begun), ...looks]);
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? "rejected" : "fulfilled")),
    );
    for (let n = 0; n < 10; n += 1)
      expect(await storedValue(`behind ${statements} ${n}`)).toBe(n % 2 ? null : "x");
  }
});

// The driver sends a hundred at once over each connection, of which the pools have four and ten.
const fullPipelines = [399, 400, 401, 999, 1_000, 1_001];

const lookUp = prepared((pool) =>
  pool
    .select()
    .from(installation)
    .where(eq(installation.key, sql.placeholder("key")))
    .prepare("look_up"),
);

test("a failed statement tells the server's code, and a duplicate its index", async () => {
  await addRow("twice");
  const duplicate = await addRow("twice").catch((error: unknown) => error);
  expect(isUniqueViolation(duplicate)).toBe(true);
  expect(isUniqueViolation(duplicate, "installation_pkey")).toBe(true);
  expect(isUniqueViolation(duplicate, "users_email_key")).toBe(false);
  expect(databaseError(duplicate)).toBeNull();
  const division = await db()
    .execute(sql`select 1 / 0`)
    .catch((error: unknown) => error);
  expect(sqlStateOf(division)).toBe("22012");
});

test("what is stored comes back as it was", async () => {
  const when = new Date("2026-02-03T04:05:06.789Z");
  const [row] = await db().execute<{ when: string; bytes: Buffer; json: unknown; text: string }>(sql`
    select ${when.toISOString()}::timestamptz as "when", '\\x00ff'::bytea as bytes, '{"a": [1, null]}'::jsonb as json,
           ${"ä\u{1f600}\n".repeat(200_000)}::text as text`);
  expect(new Date(row?.when ?? "")).toEqual(when);
  expect([...(row?.bytes ?? [])]).toEqual([0, 255]);
  expect(row?.json).toEqual({ a: [1, null] });
  expect(row?.text).toHaveLength(800_000);
});

test("the database describes itself", async () => {
  const { version, sizeBytes } = await database.handle.describe();
  expect(version).toMatch(/^\d+\.\d+/);
  expect(sizeBytes).toBeGreaterThan(1_000_000);
  expect(database.handle.writeObstacle()).toBeNull();
});

describe("when connections break", () => {
  test("what is left of a transaction is refused, never run on another connection, and everything heals", async () => {
    const isBack = () => database.handle.check().then(() => true);
    const rest = Promise.withResolvers<unknown>();
    const interrupted = db().transaction(async (tx) => {
      await tx.insert(installation).values({ key: "before the break", value: "x" });
      await database.interrupt();
      // Others use the pool again, the connection of this transaction included.
      await until(isBack);
      await Promise.all(Array.from({ length: 40 }, isBack));
      await tx
        .insert(installation)
        .values({ key: "after the break", value: "x" })
        .then(rest.resolve, rest.resolve);
    });
    const error = await interrupted.catch((reason: unknown) => reason);
    expect(databaseError(error)?.kind).toBe("DB_UNAVAILABLE");
    expect(databaseError(await rest.promise)?.kind).toBe("DB_UNAVAILABLE");
    expect(await storedValue("before the break")).toBeNull();
    expect(await storedValue("after the break")).toBeNull();
  });

  test("a statement that was waiting for its answer fails as DB_UNAVAILABLE with a time to come back", async () => {
    const waiting = db()
      .transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        const statement = tx.execute(sql`select count(*) from generate_series(1, 3000000)`);
        await database.interrupt();
        await statement;
      })
      .catch((reason: unknown) => reason);
    const failure = databaseError(await waiting);
    expect(failure).toMatchObject({ kind: "DB_UNAVAILABLE", retryAfterS: 1 });
    await until(() => database.handle.check().then(() => true));
  });
});
