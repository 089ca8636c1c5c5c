import { digestOf } from "#api/core/digest-of.ts";
import { archiveError } from "./archive-error.ts";
import { caps, type EntryPlace, isTableOf, rowsIn } from "./entry-places.ts";
import type { Checksums, Manifest } from "./manifest.ts";
import type { ReadEntry } from "./tar-entries.ts";

/** Keeps account of what comes out of an archive. */
export type Inventory = {
  /** How many entries there were. */
  count: () => number;
  /** How many rows of the manifest's tables. */
  rows: () => number;
  /** Takes an entry down. Throws an `ArchiveError` for one that no archive has in this place. */
  add(entry: ReadEntry, place: EntryPlace): void;
  /** Throws an `ArchiveError` unless the archive holds what it says, no less and no more. */
  compare(checksums: Checksums): void;
};

/** An inventory of an archive of which nothing but the manifest has come yet. */
export const createInventory = (manifest: Manifest): Inventory => {
  const seen = new Map<string, string>();
  const rows = new Map<string, number>(manifest.tables.map((table) => [table, 0]));
  const parts = new Map<string, number>();
  const digests = new Map<string, string>();

  const addPart = (bytes: Uint8Array, { table, part }: EntryPlace & { kind: "part" }): void => {
    if (!isTableOf(manifest, table) || part !== (parts.get(table) ?? 0)) throw archiveError("altered");
    parts.set(table, part + 1);
    rows.set(table, (rows.get(table) ?? 0) + rowsIn(bytes));
    if (table !== "stored_objects") return;
    for (const { version, digest } of elsewhereIn(bytes)) digests.set(version, digest);
    if (digests.size > caps.entries) throw archiveError("altered");
  };

  return {
    count: () => seen.size,
    rows: () => manifest.tables.reduce((sum, table) => sum + (rows.get(table) ?? 0), 0),
    add: ({ name, bytes }, place) => {
      if (seen.has(name) || seen.size >= caps.entries) throw archiveError("altered");
      const digest = digestOf(bytes);
      if (place.kind === "part") addPart(bytes, place);
      // What the catalogue does not name, nobody would ever find.
      if (place.kind === "object" && digests.get(place.version) !== digest) throw archiveError("altered");
      seen.set(name, sealOf(digest, bytes.byteLength));
    },
    compare: (said) => {
      const entries = Object.entries(said.entries);
      const isSame =
        entries.length === seen.size &&
        entries.every(([name, entry]) => seen.get(name) === sealOf(entry?.sha256, entry?.sizeBytes));
      const names = new Set([...rows.keys(), ...Object.keys(said.rows)]);
      const counts = new Map<string, unknown>(Object.entries(said.rows));
      if (!isSame || [...names].some((table) => (counts.get(table) ?? 0) !== (rows.get(table) ?? 0)))
        throw archiveError("altered");
    },
  };
};

const sealOf = (sha256: unknown, sizeBytes: unknown): string => `${String(sizeBytes)} ${String(sha256)}`;

/** The rows of the catalogue whose content lies in a bucket, and so in entries of its own. */
const elsewhereIn = (lines: Uint8Array): { version: string; digest: string }[] =>
  new TextDecoder()
    .decode(lines)
    .split("\n")
    .flatMap((line) => {
      const { version, digest, bucket } = { version: null, digest: null, bucket: null, ...rowOf(line) };
      return typeof version === "string" && typeof digest === "string" && bucket !== null
        ? [{ version, digest }]
        : [];
    });

const rowOf = (line: string): object => {
  try {
    return Object(JSON.parse(line));
  } catch (cause) {
    throw archiveError("altered", cause);
  }
};
