import { afterEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { sealSecret, writeSecret, writeSection } from "#api/modules/settings/store.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { folderForFile } from "#api/testing/for-each-test.ts";
import { peekRedis } from "./peek-redis.ts";

const appSecret = "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi";
const [saved, named] = ["redis://127.0.0.1:65535", "redis://:hunter2@127.0.0.1:2"];
const now = new Date("2026-11-20T12:00:00Z");
const dataDir = folderForFile();
const config = { dataDir, appSecret, appSecretPrevious: null, redisUrl: named };
const database = await databaseForFile();
afterEach(async () => {
  await database.db.execute(sql`truncate settings, setting_secrets, setting_changes`);
});

const save = async (key: string | null) => {
  await writeSection(database.db, { section: "redis", value: { endpoint: saved }, now });
  if (key === null) return;
  const box = createSecretBox(new TextEncoder().encode(key));
  const sealed = sealSecret(box, { name: "redis.password", value: "hunter3", endpoint: saved });
  await writeSecret(database.db, { name: "redis.password", sealed, now });
};

const refused = { isUsable: false, reason: "connection refused" };

test("the server that the environment names is tried while none is saved, and before there is a database", async () => {
  const found = { ...refused, server: "127.0.0.1:2", source: "environment" };
  for (const db of [database.db, null]) expect(await peekRedis(config, db)).toMatchObject(found);
  expect(await peekRedis({ ...config, redisUrl: null }, database.db)).toBeNull();
});

test("a saved server wins, with its saved password or without one", async () => {
  for (const key of [null, appSecret]) {
    await save(key);
    expect(await peekRedis(config, database.db)).toMatchObject({
      ...refused,
      server: "127.0.0.1:65535",
      source: "settings",
    });
  }
});

test("a saved password that does not open is told, whichever way the key is missing, and no key is made", async () => {
  await save("another-key-7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0Ca");
  for (const secret of [appSecret, null])
    expect(await peekRedis({ ...config, appSecret: secret }, database.db)).toEqual({
      source: "settings",
      server: "127.0.0.1:65535",
      isUsable: false,
      reason: "its saved password cannot be read",
    });
  expect(readdirSync(dataDir)).toEqual([]);
});

test("a database of an older version, which has no settings, is no obstacle", async () => {
  const older = await openTestDatabase();
  try {
    await older.db.execute(sql`drop table settings cascade`);
    expect(await peekRedis(config, older.db)).toMatchObject({ source: "environment" });
  } finally {
    await older.close();
  }
});
