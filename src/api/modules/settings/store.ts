import { and, count, desc, eq, inArray, isNull, lt, max, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { AddedProviders, Sections, SettingFault, StoredSettings } from "#api/core/settings.ts";
import { settingChanges, settingSecrets, settings, users } from "#api/db/schema.ts";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import {
  type CredentialSettings,
  credentialSettings,
  type SecretName,
} from "#contract/credential-settings.ts";
import {
  type EndpointSetting,
  endpointPathOf,
  type IdentifierSetting,
  isRecord,
  nested,
  type OpenOf,
  storedValues,
  valueAt,
} from "#contract/define-settings.ts";
import { serverOf } from "#contract/endpoints.ts";
import { providerIdComplaint, providerSettings } from "#contract/provider-settings.ts";
import { type ChangedField, isSectionOfFeature } from "#contract/settings.ts";
import { siteImages } from "#contract/site-images.ts";
import { siteSettings } from "#contract/site-settings.ts";
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

const purpose = "settings";
const placeOf = (name: string): string => `setting_secrets:sealed:${name}`;

/** How the secrets of settings are sealed, for sealing them again with another key. */
export const secretSealing = { purpose, placeOf };

/** An opened secret, or why it could not be opened. */
type OpenedSecret = { value: string; fault: null } | { value: null; fault: string };

/**
 * A secret as it is stored. What it was entered for, see {@link boundTo}, is sealed with it, so that someone who can write to the
 * table of endpoints still can't have it sent elsewhere.
 */
export const sealSecret = (
  box: SecretBox,
  { name, value, endpoint }: { name: string; value: string; endpoint: string },
): Uint8Array => {
  const plain = JSON.stringify([boundTo(name, endpoint), value]);
  return box.seal(purpose, placeOf(name), new TextEncoder().encode(plain));
};

// The server; of a sign-in provider the whole issuer: on a shared host the path names the tenant. A feature's has none.
const boundTo = (name: string, endpoint: string): string =>
  name.startsWith(clientSecretPrefix) || isSectionOfFeature(name) ? endpoint : serverOf(endpoint);

/** The inverse of {@link sealSecret}, for the same name and the same server or issuer only. Never throws. */
export const openSecret = (
  box: SecretBox,
  { name, sealed, endpoint }: { name: string; sealed: Uint8Array; endpoint: string },
): OpenedSecret => {
  try {
    const plain: unknown = JSON.parse(new TextDecoder().decode(box.open(purpose, placeOf(name), sealed)));
    const [bound, value]: unknown[] = Array.isArray(plain) ? plain : [];
    if (typeof value !== "string") return { value: null, fault: "not_a_secret" };
    return bound === boundTo(name, endpoint)
      ? { value, fault: null }
      : { value: null, fault: "for_another_server" };
  } catch (error) {
    // The caller continues without this secret, and reports it.
    const cause: unknown = Reflect.get(Object(error), "cause");
    const fault: unknown = Reflect.get(Object(cause), "fault");
    return { value: null, fault: typeof fault === "string" ? fault : "unreadable" };
  }
};

type OpenSetting = IdentifierSetting | EndpointSetting;
/** The stored plain fields of each service. */
export type OpenServices = OpenOf<CredentialSettings>;

/** The stored secrets, by the path of their field. */
export const secretNames = credentialSettings.settings.flatMap(([path, { kind }]) =>
  // The type lists the same paths.
  kind === "secret" ? [path as SecretName] : [],
);

/** The stored plain fields of each service, by path. */
const openSettings = credentialSettings.settings.flatMap(([path, setting]) =>
  setting.kind === "identifier" || setting.kind === "endpoint" ? [[path, setting] as const] : [],
);

/** The services with these values. */
export const servicesWith = (read: (path: string, setting: OpenSetting) => unknown): OpenServices => {
  const values: unknown = nested(openSettings.map(([path, setting]) => [path, read(path, setting)]));
  // All of them are there, nested as the type is.
  return values as OpenServices;
};

const clientSecretPrefix = "providers.";

/** The name of a provider's client secret. */
export const clientSecretOf = (id: string): string => `${clientSecretPrefix}${id}.clientSecret`;

type SectionName = keyof Sections;
type StoredSecret = StoredSettings["clientSecrets"][string];

/** The values if nothing is stored. */
export const defaultSections: Sections = {
  core: coreSettings.defaults,
  accounts: accountSettings.defaults,
  site: siteSettings.defaults,
  providers: {},
  ...servicesWith((path) => valueAt(credentialSettings.defaults, path)),
};

/** The endpoint that a secret is for. */
export const endpointOf = (name: SecretName, services: OpenServices): string =>
  String(valueAt(services, endpointPathOf(credentialSettings, name) ?? ""));

/** How each section is read from its row; `null` if the row has never been a valid one. */
export const sectionReaders: { [Name in SectionName]: (value: unknown) => Sections[Name] | null } = {
  core: (value) => storedValues(coreSettings, value),
  accounts: (value) => storedValues(accountSettings, value),
  site: (value) => storedValues(siteSettings, value),
  redis: (value) => storedService("redis", value),
  cloudflareR2: (value) => storedService("cloudflareR2", value),
  providers: (value) => storedProviders(value),
};

/** Only whole: of providers of which one is damaged none is what someone has saved. */
const storedProviders = (row: unknown): AddedProviders | null => {
  if (!isRecord(row)) return null;
  const read = Object.entries(row).map(([id, value]) => [id, storedValues(providerSettings, value)] as const);
  const good = read.flatMap(([id, values]) =>
    values === null || providerIdComplaint(id) !== null ? [] : [[id, values] as const],
  );
  return good.length === read.length ? Object.fromEntries(good) : null;
};

/** Like {@link storedValues}, except that no one has saved a service without its endpoint. */
const storedService = <Name extends keyof OpenServices>(
  service: Name,
  row: unknown,
): OpenServices[Name] | null => {
  if (!isRecord(row)) return null;
  const values = servicesWith((path, { kind, default: standard }) => {
    const value = valueAt({ [service]: row }, path);
    return value === undefined && kind !== "endpoint" ? standard : value;
  });
  const isStorable = openSettings.every(([path, setting]) => {
    if (!path.startsWith(`${service}.`)) return true;
    const value = valueAt(values, path);
    if (typeof value !== "string") return false;
    return setting.kind === "endpoint" ? setting.isStorable(value) : setting.complaint(value, []) === null;
  });
  return isStorable ? values[service] : null;
};

/**
 * All stored settings in one snapshot. Unusable ones are no failure: a damaged section has its defaults, a secret that
 * can't be opened has no value, and `faults` names both.
 */
export const readSettings = async (db: Database, box: SecretBox): Promise<StoredSettings> => {
  const rows = await selectSettings(db);
  const faults: SettingFault[] = [];
  const read = <Name extends SectionName>(section: Name): Sections[Name] => {
    if (!Object.hasOwn(rows.sections, section)) return defaultSections[section];
    const value = sectionReaders[section](rows.sections[section]);
    if (value === null) faults.push({ setting: section, fault: "damaged" });
    return value ?? defaultSections[section];
  };
  const sections: Sections = {
    core: read("core"),
    accounts: read("accounts"),
    site: read("site"),
    redis: read("redis"),
    cloudflareR2: read("cloudflareR2"),
    providers: read("providers"),
  };
  const open = (name: string, endpoint: () => string): StoredSecret | undefined => {
    const digits = rows.secrets[name];
    if (digits === undefined) return undefined;
    const sealed = new Uint8Array(Buffer.from(digits, "hex"));
    const { value, fault } = openSecret(box, { name, sealed, endpoint: endpoint() });
    if (fault !== null) faults.push({ setting: name, fault });
    return { value };
  };
  const secrets: StoredSettings["secrets"] = {};
  for (const name of secretNames) {
    const secret = open(name, () => endpointOf(name, sections));
    if (secret !== undefined) secrets[name] = secret;
  }
  const clientSecrets: Record<string, StoredSecret> = {};
  for (const [id, { issuer }] of Object.entries(sections.providers)) {
    const secret = open(clientSecretOf(id), () => issuer);
    if (secret !== undefined) clientSecrets[id] = secret;
  }
  const features = {
    values: Object.fromEntries(
      Object.entries(rows.sections).flatMap(([section, value]) =>
        isSectionOfFeature(section) ? [[section.replace("features.", ""), value]] : [],
      ),
    ),
    secrets: Object.fromEntries(
      Object.keys(rows.secrets).flatMap((name) =>
        isSectionOfFeature(name) ? [[name, open(name, () => "")?.value ?? null]] : [],
      ),
    ),
  };
  return { ...sections, generation: rows.generation, secrets, clientSecrets, features, faults };
};
