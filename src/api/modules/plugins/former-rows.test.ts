import { expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { migrate } from "#api/db/migrate.ts";
import { applyMigrations } from "#api/db/rebuild-schema.ts";
import { apiTokens, plugins } from "#api/db/schema.ts";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { countData, dataKeyOf } from "./store.ts";
import { beginningOf, publisherOfRow } from "./trust.ts";

setDefaultTimeout(60_000);

const database = await handleForFile();
// The embedded one starts from a seed that is migrated already.
for (const statement of [
  "drop schema if exists drizzle cascade",
  "drop schema public cascade",
  "create schema public",
])
  await database.handle.db.execute(sql.raw(statement));

test("P5: plugins from before publishers counted keep publisher, grants and data, and their tokens may set settings", async () => {
  const { db } = database.handle;
  const keyId = "ab".repeat(32);
  await applyMigrations(db, { through: "0006_api_tokens" });
  const granted = [{ name: "storage.kv" }];
  await db.execute(sql`
    insert into plugins (name, version, is_enabled, is_bundled, generation, granted, publisher_key_id, migrated_version,
      settings, installed_at, updated_at, removed_at) values
      ('licensing', '1.0.0', true, true, 1, '[]', null, '1.0.0', '{}', now(), now(), null),
      ('signed', '1.2.0', true, false, 2, ${JSON.stringify(granted)}, ${keyId}, '1.2.0', '{"a": 1}', now(), now(), null),
      ('unsigned', '0.1.0', false, false, 3, '[]', null, null, '{}', now(), now(), null),
      ('retained', '3.0.0', false, false, 4, ${JSON.stringify(granted)}, ${keyId}, '3.0.0', '{}', now(), now(), now())`);
  await db.execute(sql`
    insert into plugin_kv (plugin, key, value, version)
    values ('signed', 'k', '1', 1), ('retained', 'k', '1', 1), ('retained', 'l', '2', 1)`);
  const scopes = [
    ["plugins:write"],
    ["plugins:read", "settings:write"],
    ["*"],
    ["users:read", "plugins:write"],
  ];
  for (const [index, held] of scopes.entries())
    await db.execute(sql`
      insert into api_tokens (id, name, token_hash, hint, scopes, allowed_networks)
      values (${crypto.randomUUID()}, ${index}, ${index}, 'hint', ${JSON.stringify(held)}, '[]')`);
  await migrate(database.handle);
  const rows = await db.select().from(plugins).orderBy(plugins.name);
  const installed = rows.filter(({ removedAt }) => removedAt === null);
  const removed = rows.filter(({ removedAt }) => removedAt !== null);
  expect(installed.map((row) => [row.name, publisherOfRow(row), dataKeyOf(row), row.isEnabled])).toEqual([
    ["licensing", "bundled", "licensing", true],
    ["signed", keyId, "signed", true],
    ["unsigned", "unsigned", "unsigned", false],
  ]);
  expect(installed[1]).toMatchObject({ granted, settings: { a: 1 }, migratedVersion: "1.2.0" });
  const catalogue = { installed: new Map(), removed: new Map(removed.map((row) => [row.name, row])) };
  const asking = { name: "retained", generation: 9 };
  expect(beginningOf(catalogue, { ...asking, publisher: keyId })).toMatchObject({ granted, dataKey: null });
  // Nobody else comes by what was kept.
  expect(beginningOf(catalogue, { ...asking, publisher: "unsigned" })).toMatchObject({
    ...{ granted: [], dataKey: "retained.9", migratedVersion: null },
  });
  const now = new Date();
  expect(await countData(db, { dataKey: "signed", now })).toMatchObject({ keys: 1 });
  expect(await countData(db, { dataKey: "retained", now })).toMatchObject({ keys: 2 });
  const tokens = await db.select({ scopes: apiTokens.scopes }).from(apiTokens).orderBy(apiTokens.name);
  expect(tokens.map((token): string[] => token.scopes)).toEqual([
    ["plugins:write", "plugins:settings"],
    ["plugins:read", "settings:write"],
    ["*"],
    ["users:read", "plugins:write", "plugins:settings"],
  ]);
});
