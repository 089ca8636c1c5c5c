import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { BucketError } from "#api/core/objects.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { bucketTarget, createStorageWorld } from "#api/testing/storage-world.ts";

const database = await databaseForFile();
afterEach(async () => {
  await database.db.execute(sql`truncate stored_objects, stored_object_parts, stored_object_leftovers,
    setting_secrets, installation`);
});

const plain = { contentType: "text/plain" };
const contentOf = (key: string): Uint8Array => new TextEncoder().encode(`content of ${key}`);
const keys = ["a", "b/one", "b/two", "c", "d"];
const dayMs = 24 * 60 * 60 * 1000;

const worldWith = async (open?: Parameters<typeof createStorageWorld>[1]) => {
  const world = createStorageWorld(database.db, open);
  for (const key of keys) await world.objects.put(key, contentOf(key), plain);
  return world;
};
type World = Awaited<ReturnType<typeof worldWith>>;

const expectAll = async ({ objects }: Pick<World, "objects">) => {
  for (const key of keys) expect(await objects.get(key)).toEqual(contentOf(key));
};

/** How many facts wait for their number in the activity log; what they say is sealed. */
const countFacts = async (): Promise<number> => {
  const [row] = await database.db.execute<{ n: number }>(sql`select count(*)::int as n from activity_inbox`);
  return row?.n ?? 0;
};
let factsBefore = 0;
beforeEach(async () => {
  factsBefore = await countFacts();
});
const recorded = async (): Promise<number> => (await countFacts()) - factsBefore;

test("objects move to a bucket that is set up, and into another one that replaces it; each move is recorded once", async () => {
  const world = await worldWith();
  const { worker, settings, objects, namesIn, count } = world;
  settings.setBucket(bucketTarget("one"));
  expect(await objects.state()).toMatchObject({ migration: { moved: 0, total: 5, failed: 0 } });
  await worker.look();
  expect(namesIn("one")).toEqual(keys);
  expect(await count("stored_object_parts")).toBe(0);
  expect(await objects.state()).toMatchObject({ home: "r2", inDatabase: 0, inR2: 5, migration: null });
  await worker.look();
  expect(await recorded()).toBe(1);
  settings.setBucket(bucketTarget("two"));
  await worker.look();
  expect([namesIn("one"), namesIn("two")]).toEqual([[], keys]);
  expect(await recorded()).toBe(2);
  await expectAll(world);
});

test("objects come home when the bucket is removed, with the access that was kept for that; then it is forgotten", async () => {
  const world = await worldWith();
  const { worker, settings, objects, namesIn, bucketOf, count, ctx } = world;
  settings.setBucket(bucketTarget("one"));
  await worker.look();
  settings.setBucket(null);
  await expectAll(world);
  expect(await objects.state()).toMatchObject({ home: "database", inR2: 5, migration: { total: 5 } });
  // A process that has just started knows of the bucket only what is stored.
  const other = world.replica();
  await other.worker.look();
  expect(namesIn("one")).toEqual([]);
  expect(await objects.state()).toMatchObject({ state: "unused", home: "database", inDatabase: 5, inR2: 0 });
  expect(await count("setting_secrets")).toBe(1);
  ctx.clock.advance(61_000);
  await other.worker.look();
  expect(await count("setting_secrets")).toBe(0);
  expect(bucketOf("one").objects.size).toBe(0);
  await expectAll(world);
});

test("an object put while its bucket goes by the way of a fault is moved without a record of its own", async () => {
  const { worker, settings, objects, bucketOf } = await worldWith();
  settings.setBucket(bucketTarget("one"));
  await worker.look();
  bucketOf("one").fault = "broken";
  await objects.put("late", contentOf("late"), plain);
  bucketOf("one").fault = null;
  await worker.look();
  expect(await objects.state()).toMatchObject({ inR2: 6, migration: null });
  expect(await recorded()).toBe(1);
});

// What a move to a bucket and back asks of it: writes first, then reads, and a removal for each.
const interruptions = (["put", "get", "delete"] as const).flatMap((call) =>
  [1, 3, 5].flatMap((nth) => (["before", "after"] as const).map((moment) => [call, nth, moment] as const)),
);

test.each(interruptions)(
  "a worker that ends for ever at %s number %i (%s it) loses nothing, and another one continues",
  async (call, nth, moment) => {
    const world = await worldWith();
    const { settings, ctx, bucketOf, namesIn, count } = world;
    const bucket = bucketOf("one");
    const stuck = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const real = { put: bucket.put, get: bucket.get, discard: bucket.discard };
    let seen = 0;
    const stopAt = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const isIt = name === call && ++seen === nth;
      if (isIt && moment === "before") await halt();
      const result = await work();
      if (isIt && moment === "after") await halt();
      return result;
    };
    const halt = async () => {
      reached.resolve();
      await stuck.promise;
    };
    const arm = () => {
      bucket.put = (name, bytes, options) =>
        name.endsWith("/alive")
          ? real.put(name, bytes, options)
          : stopAt("put", () => real.put(name, bytes, options));
      bucket.get = (name, most) => stopAt("get", () => real.get(name, most));
      bucket.discard = (name) => stopAt("delete", () => real.discard(name));
    };
    const disarm = () => Object.assign(bucket, real);

    if (call !== "put") {
      settings.setBucket(bucketTarget("one"));
      await world.worker.look();
      settings.setBucket(null);
    } else settings.setBucket(bucketTarget("one"));
    world.cached.clear();
    arm();
    const dead = world.worker.look();
    await reached.promise;
    disarm();

    const other = world.replica();
    if (call === "put") other.settings.setBucket(bucketTarget("one"));
    await other.worker.look();
    await expectAll(other);
    // The lease of the one that ended has run out, and no one writes what it began any more.
    ctx.clock.advance(dayMs + 1);
    await other.worker.look();
    await expectAll(other);
    expect(namesIn("one")).toEqual(call === "put" ? keys : []);
    expect(await count("stored_object_parts")).toBe(call === "put" ? 0 : keys.length);
    expect(await count("stored_object_leftovers")).toBe(0);

    // It was only frozen, and wakes up with what it knew then.
    stuck.resolve();
    await dead;
    await other.worker.look();
    ctx.clock.advance(dayMs + 1);
    await other.worker.look();
    await expectAll(other);
    expect(namesIn("one")).toEqual(call === "put" ? keys : []);
  },
);

test("of several workers one moves objects at a time", async () => {
  const world = await worldWith();
  const others = [world, world.replica(), world.replica()];
  for (const { settings } of others) settings.setBucket(bucketTarget("one"));
  await Promise.all(others.map(({ worker }) => worker.look()));
  await Promise.all(others.map(({ worker }) => worker.look()));
  const puts = world.bucketOf("one").calls.filter((call) => call === "put").length;
  // One for each object, and a ping of each worker.
  expect(puts).toBe(keys.length + others.length);
  expect(await recorded()).toBe(1);
});

test("an object that is replaced or removed while it is moved stays replaced or removed", async () => {
  const world = await worldWith();
  const { settings, worker, objects, bucketOf, namesIn, ctx } = world;
  const newer = world.replica();
  settings.setBucket(bucketTarget("one"));
  bucketOf("one").before = async (call, name) => {
    if (call === "put" && name.includes("/a/")) await newer.objects.put("a", contentOf("newer"), plain);
    if (call === "put" && name.includes("/c/")) await newer.objects.delete("c");
  };
  await worker.look();
  bucketOf("one").before = () => {};
  await worker.look();
  expect(await objects.get("a")).toEqual(contentOf("newer"));
  expect(await objects.get("c")).toBeNull();
  ctx.clock.advance(dayMs + 1);
  await worker.look();
  expect(namesIn("one")).toEqual(["a", "b/one", "b/two", "d"]);
});

test("what cannot be fetched is counted, the rest moves, and it follows once its bucket is back", async () => {
  const world = await worldWith();
  const { settings, worker, objects, bucketOf } = world;
  settings.setBucket(bucketTarget("one"));
  await worker.look();
  settings.setBucket(null);
  await objects.put("new", contentOf("new"), plain);
  bucketOf("one").fault = "denied";
  const other = world.replica();
  await other.worker.look();
  expect(await other.objects.state()).toMatchObject({
    state: "away",
    reason: "the keys do not allow this",
    inDatabase: 1,
    migration: { moved: 0, total: 5, failed: 5 },
  });
  bucketOf("one").fault = null;
  await other.worker.look();
  expect(await other.objects.state()).toMatchObject({ inDatabase: 6, inR2: 0, migration: null });
});

test("S1: keys that never worked do not replace those by which objects can be fetched", async () => {
  const world = await worldWith((bucket, { secretAccessKey }) =>
    secretAccessKey === "wrong"
      ? {
          ...bucket,
          put: () => Promise.reject(new BucketError("signature")),
          get: () => Promise.reject(new BucketError("signature")),
        }
      : bucket,
  );
  const { settings, worker, objects } = world;
  settings.setBucket(bucketTarget("one"));
  await worker.look();
  settings.setBucket({ ...bucketTarget("one"), secretAccessKey: "wrong" });
  await worker.look();
  expect(await objects.state()).toMatchObject({ state: "away", inR2: 5 });
  settings.setBucket(null);
  world.cached.clear();
  await expectAll(world);
  await worker.look();
  expect(await objects.state()).toMatchObject({ inDatabase: 5, inR2: 0, migration: null });
  await expectAll(world);
});
