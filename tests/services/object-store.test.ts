import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { createBucketTest } from "#api/adapters/object-store/create-bucket-test.ts";
import { createObjectCache } from "#api/adapters/object-store/object-cache.ts";
import { openS3Bucket } from "#api/adapters/object-store/s3-client.ts";
import { systemClock } from "#api/core/clock.ts";
import { digestOf } from "#api/core/ids.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { migrate } from "#api/db/migrate.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { createStorage } from "#api/modules/storage/index.ts";
import { testContext } from "#api/testing/context.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { until } from "#api/testing/until.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";
import { type SwiftServer, startSwift, type swiftBuckets } from "./swift.ts";

let swift: SwiftServer;
let postgres: PostgresServer;
let url: string;
let handle: DatabaseHandle;
const folder = mkdtempSync(join(tmpdir(), "atrium-objects-"));
beforeAll(async () => {
  [swift, postgres] = await Promise.all([startSwift(), startPostgres()]);
  url = await postgres.createDatabase();
  handle = openPostgres(url);
  await migrate(handle);
});
afterAll(async () => {
  await handle.close();
  postgres.stop();
  swift.stop();
  rmSync(folder, { recursive: true });
});

const plain = { contentType: "text/plain" };
const bucketAt = (other?: Partial<BucketTarget>) =>
  openS3Bucket(swift.target(other), { otherOrigins: [swift.origin] });
const contentOf = (index: number): Uint8Array => {
  const bytes = new Uint8Array(index % 10 === 0 ? 9_000_000 : 3_000 + index);
  bytes.fill(index);
  return bytes;
};

/** The object store as one process has it. */
const newStorage = () => {
  const ctx = testContext({ db: handle.db });
  const settings = createFixedSettings();
  const storage = createStorage({
    ...ctx,
    clock: systemClock,
    settings,
    box: ctx.secrets,
    cache: createObjectCache({ folder: join(folder, crypto.randomUUID()) }),
    openBucket: (target) => openS3Bucket(target, { otherOrigins: [swift.origin] }),
    rest: async () => {},
  });
  return { ...storage, settings, ctx };
};
const namesIn = async (bucket: (typeof swiftBuckets)[number]) =>
  (await swift.names(bucket)).filter((name) => !name.endsWith("/alive"));

describe("a bucket on a server that checks signatures", () => {
  test("stores, reads, replaces and removes objects, whatever their names and sizes", async () => {
    const bucket = bucketAt();
    for (const name of ["a", "with space/plus+and~more", "ünï-✓/(brackets)'!*", "a%2Fb&c=d?e"]) {
      for (const size of [0, 1, 70_000]) {
        const bytes = crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)));
        await bucket.put(name, bytes, plain);
        expect(await bucket.get(name, bytes.byteLength)).toEqual(bytes);
      }
      expect(await namesIn("first-bucket")).toEqual([name]);
      await bucket.delete(name);
      await bucket.delete(name);
      expect(await bucket.get(name, 10)).toBeNull();
    }
  });

  test("takes large objects in parts, and what an interrupted upload left can be removed", async () => {
    const bucket = bucketAt();
    const bytes = contentOf(30).slice(0, 20_000_000);
    const large = new Uint8Array(20_000_001).fill(5);
    large.set(bytes.subarray(0, 9_000_000), 8_000_000);
    await bucket.put("large", large, plain);
    expect(digestOf((await bucket.get("large", large.byteLength)) ?? new Uint8Array())).toBe(digestOf(large));
    expect(await failureOf(bucket.get("large", 100_000))).toMatchObject({ fault: "large" });
    const cut = bucketAt();
    const upload = failureOf(cut.put("cut", large, plain));
    await until(async () => (await swift.uploads()).includes("cut"));
    cut.close();
    expect(await upload).toMatchObject({ fault: "unreachable" });
    await bucket.discard("cut");
    await bucket.discard("large");
    expect([await namesIn("first-bucket"), await swift.uploads()]).toEqual([[], []]);
  });

  test.each<[string, Partial<BucketTarget>, string]>([
    ["a wrong secret", { secretAccessKey: "wrong-secret-access-key" }, "signature"],
    // Swift does not tell the two apart.
    ["an unknown key", { accessKeyId: "atrium:somebody-else-0123" }, "signature"],
    ["a bucket that is not there", { bucket: "no-such-bucket" }, "noBucket"],
  ])("names %s", async (_, other, fault) => {
    expect(await failureOf(bucketAt(other).put("x", new Uint8Array(3), plain))).toMatchObject({ fault });
  });

  test("is tried step by step, and nothing stays of it", async () => {
    const testBucket = createBucketTest({ otherOrigins: [swift.origin] });
    const report = await testBucket(swift.target());
    expect(report).toMatchObject({ isWorking: true, summary: "Objects can be stored, read and removed." });
    expect(report.steps.map(({ name, status }) => [name, status])).toEqual([
      ["Address", "passed"],
      ["Store a probe object", "passed"],
      ["Read it back", "passed"],
      ["Remove it", "passed"],
      ["API token", "skipped"],
    ]);
    const wrong = await testBucket(swift.target({ secretAccessKey: "wrong-secret-access-key" }));
    expect(wrong).toMatchObject({
      isWorking: false,
      summary: "The access key ID and the secret access key do not match.",
    });
    expect(await namesIn("first-bucket")).toEqual([]);
  });
});

describe("the object store over it", () => {
  // What the first brought into the bucket, the others find there.
  const step = inOrder(120_000);
  const count = 24;
  const keyOf = (index: number) => `files/${String(index).padStart(3, "0")}`;
  const expectAll = async ({ objects }: Pick<ReturnType<typeof newStorage>, "objects">) => {
    for (let index = 1; index <= count; index += 1)
      expect(digestOf((await objects.get(keyOf(index))) ?? new Uint8Array())).toBe(
        digestOf(contentOf(index)),
      );
  };
  const leftovers = async () => {
    const [row] = await handle.db.execute<{ n: number }>(
      sql`select count(*)::int as n from stored_object_leftovers`,
    );
    return row?.n;
  };

  /** Lets a process move objects and kills it in the middle, again and again; then lets it come to its end. */
  const moveUnderKills = async (bucket: BucketTarget | null): Promise<number> => {
    let kills = 0;
    while (true) {
      // Later each time, and never in the last round.
      const patienceMs = kills < 4 ? 30 * 2 ** kills : null;
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "storage-mover.ts")], {
        env: {
          ...process.env,
          MOVER_DATABASE: url,
          MOVER_FOLDER: join(folder, "mover"),
          MOVER_BUCKET: JSON.stringify(bucket),
          MOVER_ORIGIN: swift.origin,
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let told = "";
      for await (const chunk of child.stdout) {
        told += new TextDecoder().decode(chunk);
        if (!told.includes("moving") || patienceMs === null) continue;
        await Bun.sleep(patienceMs);
        child.kill("SIGKILL");
      }
      await child.exited;
      if (told.includes("done")) return kills;
      kills += 1;
      // As time would: whoever was killed holds its lease for two minutes.
      await handle.db.execute(sql`delete from installation where key = 'storage.lease'`);
    }
  };

  step(
    "moves objects there and back though it is killed in the middle: none is lost, and nothing is left over",
    async () => {
      const storage = newStorage();
      for (let index = 1; index <= count; index += 1)
        await storage.objects.put(keyOf(index), contentOf(index), plain);
      expect(await moveUnderKills(swift.target())).toBeGreaterThan(2);
      storage.settings.setBucket(swift.target());
      await expectAll(storage);
      expect(await storage.objects.state()).toMatchObject({ inDatabase: 0, inR2: count, migration: null });
      // Only what kills left in the middle of writing, which is removed a day later.
      expect((await namesIn("first-bucket")).length - count).toBeLessThanOrEqual((await leftovers()) ?? 0);

      expect(await moveUnderKills(null)).toBeGreaterThan(0);
      storage.settings.setBucket(null);
      await expectAll(storage);
      expect(await storage.objects.state()).toMatchObject({ inDatabase: count, inR2: 0, migration: null });
      await handle.db.execute(
        sql`update stored_object_leftovers set remove_after = now() - interval '1 second'`,
      );
      await storage.worker.look();
      expect(await namesIn("first-bucket")).toEqual([]);
      expect(await leftovers()).toBe(0);
    },
  );

  step("moves them from one bucket straight into the other", async () => {
    const storage = newStorage();
    storage.settings.setBucket(swift.target());
    await storage.worker.look();
    storage.settings.setBucket(swift.target({ bucket: "second-bucket" }));
    await storage.worker.look();
    expect(await namesIn("first-bucket")).toEqual([]);
    expect(await namesIn("second-bucket")).toHaveLength(count);
    await expectAll(storage);
  });

  step(
    "falls back to the database while the server is dead or frozen, within two seconds, and returns",
    async () => {
      const storage = newStorage();
      const { objects, worker, settings } = storage;
      settings.setBucket(swift.target({ bucket: "second-bucket" }));
      await worker.look();
      const timed = async (work: () => PromiseLike<unknown>) => {
        const startedAt = performance.now();
        await work();
        return performance.now() - startedAt;
      };
      const content = new TextEncoder().encode("written during an outage");
      swift.freeze();
      try {
        expect(await timed(() => objects.put("outage/first", content, plain))).toBeLessThan(3_500);
        expect(await timed(() => objects.put("outage/second", content, plain))).toBeLessThan(500);
        expect(await timed(() => failureOf(newStorage().objects.get(keyOf(1))))).toBeLessThan(10_000);
        expect(await failureOf(objects.get(keyOf(1)))).toMatchObject({ kind: "STORAGE_UNAVAILABLE" });
      } finally {
        swift.thaw();
      }
      expect(await objects.state()).toMatchObject({ state: "away", reason: "there was no response in time" });
      await swift.kill();
      await worker.look();
      expect(await objects.state()).toMatchObject({
        state: "away",
        reason: "nothing answers at that address",
      });
      await objects.put("outage/third", content, plain);
      expect(await objects.get("outage/third")).toEqual(content);
      await swift.restart();
      await worker.look();
      expect(await objects.state()).toMatchObject({
        state: "up",
        inDatabase: 0,
        inR2: count + 3,
        migration: null,
      });
      await expectAll(storage);
    },
  );
});
