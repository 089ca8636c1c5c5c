import { and, count, desc, eq, inArray, isNull, lt, max, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { settingChanges, settingSecrets, settings, users } from "#api/db/schema.ts";
import type { ChangedField } from "#contract/settings.ts";
import { siteImages } from "#contract/site-images.ts";
import type { Role } from "#contract/users.ts";

/** All stored data of settings. */
export type SettingRows = {
  generation: number;
  sections: Record<string, unknown>;
  /** Sealed, in hexadecimal digits. */
  secrets: Record<string, string>;
};

/** One change as it is stored. */
export type ChangeRow = typeof settingChanges.$inferSelect;

/** Whether a user has a second factor; they can't lose it before the transaction ends. */
export const hasSecondFactor = async (tx: Database, userId: string): Promise<boolean> => {
  const [row] = await tx
    .select({ secondFactorAt: users.secondFactorAt })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  return row !== undefined && row.secondFactorAt !== null;
};

/** Gives all users of these roles who have no second factor the time to set one up from `now` on. */
export const beginGrace = async (tx: Database, of: Role[], now: Date): Promise<void> => {
  await tx
    .update(users)
    .set({ factorRequiredFrom: now })
    .where(and(inArray(users.role, of), isNull(users.secondFactorAt)));
};

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

/** Stores a section as a whole; one that holds nothing has no row. */
export const writeSection = async (
  tx: Database,
  { section, value, now }: { section: string; value: object; now: Date },
): Promise<void> => {
  if (Object.keys(value).length === 0) {
    await tx.delete(settings).where(eq(settings.section, section));
    return;
  }
  const row = { value, updatedAt: now };
  await tx
    .insert(settings)
    .values({ section, ...row })
    .onConflictDoUpdate({ target: settings.section, set: row });
};

/** Stores a sealed secret; `null` removes it. */
export const writeSecret = async (
  tx: Database,
  { name, sealed, now }: { name: string; sealed: Uint8Array | null; now: Date },
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

/** The newest changes, of one section and with an id below `before` if they are given, and the total number of that section. */
export const selectChanges = async (
  db: Database,
  wanted: { limit: number; before: number | undefined; section: ChangeRow["section"] | undefined },
): Promise<{ changes: ChangeRow[]; total: number }> => {
  const { limit, before, section } = wanted;
  const isOfSection = section === undefined ? undefined : eq(settingChanges.section, section);
  const changes = await db
    .select()
    .from(settingChanges)
    .where(and(isOfSection, before === undefined ? undefined : lt(settingChanges.id, before)))
    .orderBy(desc(settingChanges.id))
    .limit(limit);
  const [counted] = await db.select({ total: count() }).from(settingChanges).where(isOfSection);
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

/** Everything that settings of images hold, or have held as far as the history goes. */
export const selectSiteImages = async (db: Database): Promise<string[]> => {
  const rows = await db.execute<{ value: string }>(sql`
    select distinct held.value from (
      select value ->> name as value from settings, unnest(${sql.param(Object.keys(siteImages))}::text[]) as name
      where section = 'site'
      union all
      select field ->> side from setting_changes cross join lateral jsonb_array_elements(fields) as field,
        unnest(array['before', 'after']) as side
      where section = 'site' and field ->> 'path' = any(${sql.param(Object.keys(siteImages))}::text[])
    ) as held where held.value <> ''`);
  return rows.map(({ value }) => value);
};

/** A field's key in the result of {@link selectNewestByField}. */
export const fieldKey = ({ section }: Pick<ChangeRow, "section">, { path }: ChangedField): string =>
  `${section}.${path}`;
