import { programVersion } from "#api/core/program-version.ts";
import { ArchiveError, archiveError } from "./archive-error.ts";

/** The form of archives that this program writes, and the newest that it reads. */
export const archiveFormat = 1;

/** The names of the entries that every archive has. */
export const entryNames = {
  manifest: "manifest.json",
  key: "app.key",
  tables: "tables/",
  objects: "objects/",
  checksums: "checksums.json",
} as const;

/** What an archive says of itself in its first entry. */
export type Manifest = {
  format: number;
  /** Version of the product that made it. */
  version: string;
  /** ISO instant. */
  createdAt: string;
  database: { kind: "postgres" | "embedded"; version: string };
  /** The migrations that its tables have the shape of, oldest first. */
  migrations: string[];
  /** Of the key that its secrets are sealed under; `null` before a server was ever started on it. */
  keyFingerprint: string | null;
  hasKey: boolean;
  tables: string[];
};

/** What the last entry says: only a whole archive has one. */
export type Checksums = {
  /** SHA-256 and size of every entry before it, by name. */
  entries: Record<string, { sha256: string; sizeBytes: number }>;
  /** How many rows each table has. */
  rows: Record<string, number>;
};

/** Reads what an archive says of itself. Throws an `ArchiveError` for what is no manifest, and for a newer form. */
export const readManifest = (bytes: Uint8Array): Manifest => {
  const value = parsed(bytes);
  const { format, version, createdAt, database, migrations, keyFingerprint, hasKey, tables } = {
    ...emptyManifest,
    ...Object(value),
  };
  if (!Number.isInteger(format) || format < 1) throw archiveError("not_a_backup");
  if (format > archiveFormat) throw newerFormat(format, version);
  const { kind, version: databaseVersion } = { ...emptyManifest.database, ...Object(database) };
  const isSound =
    isVersion(version) &&
    isInstant(createdAt) &&
    typeof databaseVersion === "string" &&
    databaseVersion.length <= 200 &&
    (kind === "postgres" || kind === "embedded") &&
    isNames(migrations) &&
    isNames(tables) &&
    (keyFingerprint === null || (typeof keyFingerprint === "string" && /^[0-9a-f]+$/.test(keyFingerprint)));
  if (!isSound) throw archiveError("not_a_backup");
  return {
    format,
    version,
    createdAt,
    database: { kind, version: databaseVersion },
    migrations,
    keyFingerprint,
    hasKey: hasKey === true,
    tables,
  };
};

/** Reads the last entry, of an archive with so many before it. Throws an `ArchiveError` for what is not one. */
export const readChecksums = (bytes: Uint8Array, count: number): Checksums => {
  // To parse what is nested without end, or made of nothing but names, takes a thousand times its bytes.
  if (occurrences(bytes, "[") > 0 || occurrences(bytes, "{") > count + 3) throw archiveError("altered");
  if (occurrences(bytes, ":") > 3 * count + mostTables) throw archiveError("altered");
  const { entries, rows } = { entries: null, rows: null, ...Object(parsed(bytes)) };
  if (typeof entries !== "object" || entries === null || typeof rows !== "object" || rows === null)
    throw archiveError("altered");
  return { entries, rows };
};

const newerFormat = (format: number, version: unknown): ArchiveError => {
  const maker = isVersion(version) ? version : "unknown";
  return new ArchiveError(
    "newer_format",
    `The backup is in form ${format}, made by version ${maker} of Atrium; this is version ${programVersion}, which reads forms up to ${archiveFormat}. ` +
      "Restore it with the version that made it, or a later one",
  );
};

const emptyManifest = {
  format: null,
  version: null,
  createdAt: null,
  database: { kind: null, version: null },
  migrations: null,
  keyFingerprint: null,
  hasKey: false,
  tables: null,
};

// A manifest of the size that is read has not so many.
const mostTables = 10_000;

const occurrences = (bytes: Uint8Array, character: string): number => {
  const code = character.charCodeAt(0);
  let count = 0;
  for (let at = bytes.indexOf(code); at !== -1; at = bytes.indexOf(code, at + 1)) count += 1;
  return count;
};

/** What is printed later is of a form that can hold nothing else. */
const isVersion = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 100 && /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(value);

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string" && /^\w{1,100}$/.test(name));

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw archiveError("altered", cause);
  }
};
