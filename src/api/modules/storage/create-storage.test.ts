import { afterEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { storedObjectParts, storedObjects } from "#api/db/schema.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { bucketSecret, bucketTarget, createStorageWorld } from "#api/testing/storage-world.ts";

const database = await databaseForFile();
afterEach(async () => {
  await database.db.execute(sql`truncate stored_objects, stored_object_parts, stored_object_leftovers,
    setting_secrets, installation`);
});

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const plain = { contentType: "text/plain" };
const large = (sizeBytes: number): Uint8Array => {
  const bytes = new Uint8Array(sizeBytes);
  crypto.getRandomValues(bytes.subarray(0, 60_000));
  bytes[sizeBytes - 1] = 7;
  return bytes;
};

describe("without a bucket", () => {
  test("objects of any size come back as they were put, and are listed by their beginning", async () => {
    const { objects } = createStorageWorld(database.db);
    const sizes = [0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000];
    for (const size of sizes) {
      const bytes = size === 0 ? new Uint8Array() : large(size);
      await objects.put(`sizes/${size}`, bytes, plain);
      expect(Buffer.compare((await objects.get(`sizes/${size}`)) ?? text("none"), bytes)).toBe(0);
    }
    await objects.put("other/a", text("a"), { contentType: "application/zip" });
    expect((await objects.list("other/")).map(({ createdAt: _, ...entry }) => entry)).toEqual([
      {
        key: "other/a",
        sizeBytes: 1,
        contentType: "application/zip",
        digest: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
      },
    ]);
    expect(await objects.list("sizes/")).toHaveLength(sizes.length);
    expect(await objects.list("s%")).toEqual([]);
    expect(await objects.state()).toMatchObject({
      state: "unused",
      home: "database",
      inDatabase: 7,
      inR2: 0,
    });
  });

  test("what is put again replaces what was there and leaves nothing of it", async () => {
    const { objects, count } = createStorageWorld(database.db);
    await objects.put("a", large(2_000_000), plain);
    await objects.put("a", text("new"), plain);
    expect(await objects.get("a")).toEqual(text("new"));
    expect(await count("stored_object_parts")).toBe(1);
    await objects.delete("a");
    await objects.delete("a");
    expect(await objects.get("a")).toBeNull();
    expect(await count("stored_object_parts")).toBe(0);
  });

  test("of many who simultaneously put the same one wins, and nothing of the others stays", async () => {
    const { objects, count } = createStorageWorld(database.db);
    const words = Array.from({ length: 12 }, (_, index) => `content ${index}`);
    await Promise.all(words.map((word) => objects.put("same", text(word), plain)));
    const kept = new TextDecoder().decode((await objects.get("same")) ?? text(""));
    expect(words).toContain(kept);
    expect(await count("stored_object_parts")).toBe(1);
  });

  test.each([
    "",
    "/a",
    "a/",
    "a//b",
    "../a",
    "a/../b",
    "a/..b/c..d",
    "a b",
    "a\0",
    "ä",
    "a".repeat(501),
    ".a",
  ])("the key %j is refused and nothing is stored", async (key) => {
    const { objects } = createStorageWorld(database.db);
    for (const work of [objects.put(key, text("x"), plain), objects.get(key), objects.delete(key)])
      expect(String(await failureOf(work))).toContain("not the key");
    expect(await objects.list("")).toEqual([]);
  });

  test.each([
    [
      "changed",
      (version: string) =>
        database.db
          .update(storedObjectParts)
          .set({ content: text("hacked!") })
          .where(eq(storedObjectParts.version, version)),
    ],
    [
      "cut",
      (version: string) =>
        database.db
          .update(storedObjectParts)
          .set({ content: text("h") })
          .where(eq(storedObjectParts.version, version)),
    ],
    [
      "gone",
      (version: string) =>
        database.db.delete(storedObjectParts).where(eq(storedObjectParts.version, version)),
    ],
  ])(
    "S5: content that was %s is never given out: a coded error and a critical log line",
    async (_, damage) => {
      const { objects, ctx } = createStorageWorld(database.db);
      await objects.put("package", text("package"), plain);
      const [row] = await database.db.select().from(storedObjects);
      await damage(row?.version ?? "");
      expect(await failureOf(objects.get("package"))).toMatchObject({ kind: "INTERNAL" });
      expect(ctx.logged).toContainEqual({
        level: "error",
        message: "a stored object is not what was uploaded",
        fields: { key: "package", severity: "critical" },
      });
    },
  );

  test("what a crash left in the middle of writing is swept a day later, and no object with it", async () => {
    const { objects, worker, count, ctx } = createStorageWorld(database.db);
    await objects.put("a", text("a"), plain);
    await database.db
      .insert(storedObjectParts)
      .values({ version: Bun.randomUUIDv7(), part: 0, content: text("x") });
    await worker.look();
    expect(await count("stored_object_parts")).toBe(2);
    ctx.clock.advance(25 * 60 * 60 * 1000);
    await worker.look();
    expect(await count("stored_object_parts")).toBe(1);
    expect(await objects.get("a")).toEqual(text("a"));
  });
});

describe("with a bucket", () => {
  test("objects lie in the bucket alone, and leave nothing there once they are replaced or removed", async () => {
    const { objects, worker, settings, namesIn, count } = createStorageWorld(database.db);
    settings.setBucket(bucketTarget("one"));
    await objects.put("a", text("first"), plain);
    await objects.put("a", text("second"), plain);
    await objects.put("b/c", text("other"), plain);
    await worker.look();
    expect(await objects.get("a")).toEqual(text("second"));
    expect(namesIn("one")).toEqual(["a", "b/c"]);
    expect(await count("stored_object_parts")).toBe(0);
    expect(await objects.state()).toMatchObject({
      state: "up",
      home: "r2",
      inDatabase: 0,
      inR2: 2,
      migration: null,
    });
    await objects.delete("a");
    await objects.delete("b/c");
    await worker.look();
    expect(namesIn("one")).toEqual([]);
    expect(await count("stored_object_leftovers")).toBe(0);
  });

  test("an object too large for one call goes by way of the database, and then to the bucket", async () => {
    const { objects, worker, settings, namesIn, count } = createStorageWorld(database.db);
    settings.setBucket(bucketTarget("one"));
    const bytes = large(9_000_000);
    await objects.put("big", bytes, plain);
    expect(namesIn("one")).toEqual([]);
    await worker.look();
    expect(namesIn("one")).toEqual(["big"]);
    expect(await count("stored_object_parts")).toBe(0);
    expect(Buffer.compare((await objects.get("big")) ?? text(""), bytes)).toBe(0);
  });

  test("while it is away objects go to the database immediately, without asking it again, and move when it is back", async () => {
    const { objects, worker, settings, bucketOf, namesIn, ctx } = createStorageWorld(database.db);
    settings.setBucket(bucketTarget("one"));
    await objects.put("before", text("1"), plain);
    bucketOf("one").fault = "closed";
    await objects.put("during", text("2"), plain);
    const { length } = bucketOf("one").calls;
    await objects.put("during/more", text("3"), plain);
    expect(bucketOf("one").calls).toHaveLength(length);
    expect(await objects.get("during")).toEqual(text("2"));
    expect(await objects.state()).toMatchObject({
      state: "away",
      reason: "nothing answers at that address",
      server: "https://storage.example.test",
      inDatabase: 2,
      inR2: 1,
      migration: { moved: 0, total: 2 },
    });
    await worker.look();
    expect(namesIn("one")).toEqual(["before"]);
    bucketOf("one").fault = null;
    await worker.look();
    expect(namesIn("one")).toEqual(["before", "during", "during/more"]);
    expect(await objects.state()).toMatchObject({ state: "up", inDatabase: 0, inR2: 3, migration: null });
    expect(ctx.logged.map(({ message }) => message)).toEqual([
      "the object storage is unavailable",
      "the object storage is available again",
    ]);
  });

  test("while it is away what was read or written here is read from the cache, and the rest answers 503", async () => {
    const world = createStorageWorld(database.db);
    world.settings.setBucket(bucketTarget("one"));
    await world.objects.put("known", text("known"), plain);
    const other = world.replica();
    other.settings.setBucket(bucketTarget("one"));
    await other.worker.look();
    world.bucketOf("one").fault = "slow";
    expect(await world.objects.get("known")).toEqual(text("known"));
    expect(await failureOf(other.objects.get("known"))).toMatchObject({
      kind: "STORAGE_UNAVAILABLE",
      retryAfterS: 5,
    });
    world.bucketOf("one").fault = null;
    await other.worker.look();
    expect(await other.objects.get("known")).toEqual(text("known"));
  });

  test("S5: content that was changed in the bucket is never given out", async () => {
    const world = createStorageWorld(database.db);
    world.settings.setBucket(bucketTarget("one"));
    await world.objects.put("package", text("package"), plain);
    const { objects } = world.bucketOf("one");
    for (const damage of [text("PACKAGE"), text("a much longer content than there was"), null]) {
      for (const name of [...objects.keys()].filter((path) => path.includes("package")))
        damage === null ? objects.delete(name) : objects.set(name, damage);
      const other = world.replica();
      other.settings.setBucket(bucketTarget("one"));
      expect(await failureOf(other.objects.get("package"))).toMatchObject({ kind: "INTERNAL" });
    }
  });

  test("S1: the keys of a bucket are stored sealed, and are in no log line and no state", async () => {
    const { objects, worker, settings, bucketOf, ctx } = createStorageWorld(database.db);
    settings.setBucket(bucketTarget("one"));
    await objects.put("a", text("a"), plain);
    bucketOf("one").fault = "signature";
    await objects.put("b", text("b"), plain);
    await worker.look();
    const [row] = await database.db.execute<{ dump: string }>(
      sql`select string_agg(name || encode(sealed, 'escape'), ' ') as dump from setting_secrets`,
    );
    expect(row?.dump).toContain("storage.bucket.");
    const seen = JSON.stringify([row, ctx.logged, await objects.state()]);
    expect(seen).not.toContain(bucketSecret);
    expect(seen).not.toContain("access-key-id-of-tests");
  });
});
