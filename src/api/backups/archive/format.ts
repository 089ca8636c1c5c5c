import { programVersion } from "#api/core/program-version.ts";
import { ownSchema } from "#api/db/migration-journal.ts";

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
  /** The migrations of own features that were applied, oldest first, by the times that the database lists. */
  ownMigrations: string[];
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

/** An entry of a dump: `rows` is how many it holds, where it is a part of a table. */
export type DumpEntry = { name: string; bytes: Uint8Array; rows?: number };

/**
 * An installation on its way from one place to another: what it is, and then everything in it. Entries are asked for one by
 * one, so that few of them are in memory at a time.
 */
export type Dump = { manifest: Manifest; entries: AsyncIterable<DumpEntry> };

/** Reads what an archive says of itself. Throws an `ArchiveError` for what is no manifest, and for a newer form. */
export const readManifest = (bytes: Uint8Array): Manifest => {
  const value = parsed(bytes);
  const { format, version, createdAt, database, migrations, ownMigrations, keyFingerprint, hasKey, tables } =
    {
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
    isNames(ownMigrations) &&
    isNames(tables, tableName) &&
    (keyFingerprint === null || (typeof keyFingerprint === "string" && /^[0-9a-f]+$/.test(keyFingerprint)));
  if (!isSound) throw archiveError("not_a_backup");
  return {
    format,
    version,
    createdAt,
    database: { kind, version: databaseVersion },
    migrations,
    ownMigrations,
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
    `The backup has format ${format}, made by version ${maker} of Atrium; this is version ${programVersion}, which reads formats up to ${archiveFormat}. Restore it with the version that made it, or a later one`,
  );
};

const emptyManifest = {
  format: null,
  version: null,
  createdAt: null,
  database: { kind: null, version: null },
  migrations: null,
  ownMigrations: [],
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

const isNames = (value: unknown, form = /^\w{1,100}$/): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string" && form.test(name));

/** The form of the names of tables; those of own features have their schema before them. */
const tableName = new RegExp(`^(?:${ownSchema}\\.)?\\w{1,63}$`);

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw archiveError("altered", cause);
  }
};

/** What an entry's name says that it is. */
export type EntryPlace =
  | { kind: "manifest" | "key" | "checksums" }
  | { kind: "part"; table: string; part: number }
  | { kind: "object"; version: string };

/** The name of the part that tells how far the sequences have come, which no table can have. */
const sequences = "#sequences";

/** What the name stands for, or `null` when no archive has an entry of that name. */
export const entryPlace = (name: string): EntryPlace | null => {
  if (name === entryNames.manifest) return { kind: "manifest" };
  if (name === entryNames.key) return { kind: "key" };
  if (name === entryNames.checksums) return { kind: "checksums" };
  const [, version] = /^objects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(name) ?? [];
  if (version !== undefined) return { kind: "object", version };
  const [, table = "", part] = /^tables\/([^/]+)\/(0|[1-9]\d{0,8})\.ndjson$/.exec(name) ?? [];
  return table === sequences || tableName.test(table) ? { kind: "part", table, part: Number(part) } : null;
};

/** Whether rows may come for this table. */
export const isTableOf = ({ tables }: Pick<Manifest, "tables">, table: string): boolean =>
  table === sequences || tables.includes(table);

const mebibyte = 1024 * 1024;

/**
 * The bounds of what is read, which hold for what is written too: no backup is made that could not be read.
 */
export const caps = {
  manifestBytes: 256 * 1024,
  keyBytes: 4 * 1024,
  // Four megabytes by the count of whoever dumps, in which any byte may become an escape of six.
  partBytes: 24 * mebibyte,
  // The largest row is far smaller: pieces of objects have a megabyte, what plugins keep less.
  rowBytes: 32 * mebibyte,
  // Objects come in uploads of 20 MB at most.
  objectBytes: 24 * mebibyte,
  // As parts they would be some hundred gigabytes.
  entries: 100_000,
} as const;

// Rows as they are come to a tenth or so of their size; what is made to be nothing comes to a ten-thousandth.
const mostTimesPacked = 200;

/**
 * How many bytes may have come out of so many packed ones. The beginning is free: small archives hold what is the same, too.
 */
export const mostSumBytes = (packedBytes: number): number => 512 * mebibyte + mostTimesPacked * packedBytes;

/**
 * The same for whoever writes: some less, because a reader asks within an entry too, and no compressor has given out all
 * that it was given.
 */
export const mostWrittenSumBytes = (packedBytes: number): number =>
  mostSumBytes(packedBytes) - 2 * caps.rowBytes;

/** How large an entry may be. The checksums of so many `entries` and tables take no more than that. */
export const mostBytesAt = (
  place: EntryPlace,
  about: { entries: number; tables: number } = { entries: caps.entries, tables: 0 },
): number => {
  if (place.kind === "manifest") return caps.manifestBytes;
  if (place.kind === "key") return caps.keyBytes;
  if (place.kind === "object") return caps.objectBytes;
  if (place.kind === "part") return caps.rowBytes;
  return 1024 + about.entries * 256 + about.tables * 128;
};

/** What an entry is that is about to be written. Throws for one that no reader would take. */
export const checkWritten = (name: string, sizeBytes: number, entries: number): EntryPlace => {
  const place = entryPlace(name);
  if (place === null || sizeBytes > mostBytesAt(place) || entries > caps.entries)
    throw new Error(`a backup cannot hold ${name} with ${sizeBytes} bytes as its entry ${entries}`);
  return place;
};

/**
 * How many rows a part holds. Throws an `ArchiveError` unless it is lines with a flat object each, which can be parsed at
 * little cost: a reader of JSON takes a thousand times the memory for what is nested without end.
 */
export const rowsIn = (lines: Uint8Array): number => {
  if (lines.byteLength === 0) return 0;
  let rows = 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < lines.byteLength; at += 1) {
    const byte = lines[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
      continue;
    }
    if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      rows += depth === 1 ? 1 : 0;
      if (depth > mostDepth || (depth === 1 && !isLineStart(lines, at))) throw archiveError("altered");
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    else if (depth === 0 && !isLineEnd(lines, at)) throw archiveError("altered");
    if (depth < 0) throw archiveError("altered");
  }
  if (depth !== 0 || isText || lines.at(-1) !== closeBrace) throw archiveError("altered");
  if (rows > 1 && lines.byteLength > caps.partBytes) throw archiveError("altered");
  return rows;
};

// A row is flat; a column may be a list.
const mostDepth = 4;
const [quote, backslash, lineFeed] = [34, 92, 10];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];

const isLineEnd = (lines: Uint8Array, at: number): boolean =>
  lines[at] === lineFeed && lines[at - 1] === closeBrace;

const isLineStart = (lines: Uint8Array, at: number): boolean =>
  lines[at] === openBrace && (at === 0 || lines[at - 1] === lineFeed);

/** A copy whose content lies in a bucket, and so in an entry of its own. */
export type StoredElsewhere = { key: string; version: string; digest: string };

/** Those in a part of the catalogue. Throws an `ArchiveError` for what is no part. */
export const elsewhereIn = (lines: Uint8Array): StoredElsewhere[] =>
  new TextDecoder()
    .decode(lines)
    .split("\n")
    .flatMap((line) => {
      const row = { key: null, version: null, digest: null, bucket: null, ...rowOf(line) };
      const { key, version, digest, bucket } = row;
      return typeof version === "string" && typeof digest === "string" && bucket !== null
        ? [{ key: String(key), version, digest }]
        : [];
    });

const rowOf = (line: string): object => {
  try {
    return Object(JSON.parse(line));
  } catch (cause) {
    throw archiveError("altered", cause);
  }
};

/** Why a backup cannot be read or used. */
type ArchiveFault =
  | "not_a_backup"
  | "truncated"
  | "altered"
  | "locked"
  | "wrong_secret"
  | "not_encrypted"
  | "newer_format"
  | "newer_schema";

/** A backup that cannot be used; the message is for the operator and says what to do. */
export class ArchiveError extends Error {
  readonly fault: ArchiveFault;

  constructor(fault: ArchiveFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "ArchiveError";
    this.fault = fault;
  }
}

/** The words for each fault that needs no more than its name. */
export const archiveFaultTexts = {
  not_a_backup: "This is not a backup of Atrium: neither an archive made by `atrium backup` nor an age file",
  truncated: "The backup is incomplete: its end is missing. Copy it again, or use another one",
  altered: "The backup was changed or damaged since it was made. Copy it again, or use another one",
  locked:
    "The backup is encrypted. Give its passphrase (ATRIUM_BACKUP_PASSPHRASE, or --passphrase-stdin) or the file with its age identity (--identity FILE)",
  wrong_secret: "Neither the given passphrase nor the given identity opens this backup",
  not_encrypted:
    "This backup is not encrypted, though a passphrase or an identity was given, or its name ends in .age: someone with write access to its location may have replaced it. To restore it anyway, leave out the passphrase and rename it",
} as const;

/** An {@link ArchiveError} in its usual words. */
export const archiveError = (fault: keyof typeof archiveFaultTexts, cause?: unknown): ArchiveError =>
  new ArchiveError(fault, archiveFaultTexts[fault], { cause });
