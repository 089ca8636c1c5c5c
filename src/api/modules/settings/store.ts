import { and, count, desc, eq, lt, max, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { settingChanges, settingSecrets, settings } from "#api/db/schema.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import type { ChangedField } from "#contract/settings.ts";
import type { SectionName } from "./stored-settings.ts";

/** All stored data of settings. */
export type SettingRows = {
  generation: number;
  sections: Record<string, unknown>;
  /** Sealed, in hexadecimal digits. */
  secrets: Record<string, string>;
};

/** One change as it is stored. */
export type ChangeRow = typeof settingChanges.$inferSelect;

/** Reads all rows in one snapshot. */
export const selectSettings = async (db: Database): Promise<SettingRows> => {
  // One statement sees one state of the tables, even outside a transaction.
  const [rows] = await db.execute<SettingRows>(sql`
    select
      (select coalesce(max(id), 0) from setting_changes)::float8 as generation,
      (select coalesce(json_object_agg(section, value), '{}') from settings) as sections,
      (select coalesce(json_object_agg(name, encode(sealed, 'hex')), '{}') from setting_secrets) as secrets`);
  if (rows === undefined) throw new Error("the settings gave no row");
  return rows;
};

/** Whether the database has tables for settings yet: before its migration it has none. */
export const hasSettingsTable = async (db: Database): Promise<boolean> => {
  const [row] = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass('settings') is not null as "isThere"`,
  );
  return row?.isThere === true;
};

/** Number of the newest change; 0 before the first. */
export const selectGeneration = async (db: Database): Promise<number> => {
  const [row] = await db.select({ newest: max(settingChanges.id) }).from(settingChanges);
  return row?.newest ?? 0;
};

/** Prevents other changes of settings until the transaction ends; they can still be read. */
export const lockSettings = async (tx: Database): Promise<void> => {
  // Rows that don't exist yet can't be locked.
  await tx.execute(sql`lock table settings in share row exclusive mode`);
};

/** Stores a section as a whole. */
export const writeSection = async (
  tx: Database,
  { section, value, now }: { section: SectionName; value: object; now: Date },
): Promise<void> => {
  const row = { value, updatedAt: now };
  await tx
    .insert(settings)
    .values({ section, ...row })
    .onConflictDoUpdate({ target: settings.section, set: row });
};

/** Stores a sealed secret; `null` removes it. */
export const writeSecret = async (
  tx: Database,
  { name, sealed, now }: { name: SecretName; sealed: Uint8Array | null; now: Date },
): Promise<void> => {
  if (sealed === null) {
    await tx.delete(settingSecrets).where(eq(settingSecrets.name, name));
    return;
  }
  const row = { sealed, updatedAt: now };
  await tx
    .insert(settingSecrets)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: settingSecrets.name, set: row });
};

/** Appends a change to the history and returns it with its number. */
export const insertChange = async (
  tx: Database,
  change: Omit<typeof settingChanges.$inferInsert, "id">,
): Promise<ChangeRow> => {
  const [row] = await tx.insert(settingChanges).values(change).returning();
  if (row === undefined) throw new Error("the change was not stored");
  return row;
};

/** The change, or `null`. */
export const findChange = async (db: Database, id: number): Promise<ChangeRow | null> => {
  const [row] = await db.select().from(settingChanges).where(eq(settingChanges.id, id));
  return row ?? null;
};

/** The newest changes, with an id below `before` if it is given, and their total number. */
export const selectChanges = async (
  db: Database,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<{ changes: ChangeRow[]; total: number }> => {
  const changes = await db
    .select()
    .from(settingChanges)
    .where(and(before === undefined ? undefined : lt(settingChanges.id, before)))
    .orderBy(desc(settingChanges.id))
    .limit(limit);
  const [counted] = await db.select({ total: count() }).from(settingChanges);
  return { changes, total: counted?.total ?? 0 };
};

/** For each field that was ever changed, by section and path, the number of its newest change. */
export const selectNewestByField = async (db: Database): Promise<Map<string, number>> => {
  const rows = await db.execute<{ field: string; newest: number }>(sql`
    select section || '.' || (field ->> 'path') as field, max(id)::float8 as newest
    from setting_changes cross join lateral jsonb_array_elements(fields) as field
    group by 1`);
  return new Map(rows.map(({ field, newest }) => [field, newest]));
};

/** A field's key in the result of {@link selectNewestByField}. */
export const fieldKey = ({ section }: Pick<ChangeRow, "section">, { path }: ChangedField): string =>
  `${section}.${path}`;
