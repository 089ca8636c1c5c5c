import { archiveError } from "./archive-error.ts";
import { entryNames, type Manifest } from "./manifest.ts";

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
  const [, table, part] = /^tables\/(#sequences|\w{1,63})\/(0|[1-9]\d{0,8})\.ndjson$/.exec(name) ?? [];
  return table === undefined ? null : { kind: "part", table, part: Number(part) };
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

/** Throws for an entry that no reader would take. */
export const checkWritten = (name: string, sizeBytes: number, entries: number): void => {
  const place = entryPlace(name);
  if (place === null || sizeBytes > mostBytesAt(place) || entries > caps.entries)
    throw new Error(`a backup cannot hold ${name} with ${sizeBytes} bytes as its entry ${entries}`);
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
