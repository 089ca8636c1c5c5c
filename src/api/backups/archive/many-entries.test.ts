import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { createZstdCompress } from "node:zlib";
import { digestOf } from "#api/core/ids.ts";
import { backupManifest } from "#api/testing/backup-manifest.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { caps } from "./format.ts";
import { openArchive } from "./read-archive.ts";

const encoder = new TextEncoder();
const row = encoder.encode(JSON.stringify({ text: "x".repeat(2_000) }));
const rowDigest = digestOf(row);
const manifest = encoder.encode(JSON.stringify(backupManifest({ tables: ["users", "stored_objects"] })));

/** A file of a tar with its header (POSIX.1-2017, pax, "ustar Interchange Format"), which a writer for all tars takes long for. */
const fileOf = (name: string, bytes: Uint8Array): Buffer => {
  const file = Buffer.alloc(512 + Math.ceil(bytes.byteLength / 512) * 512);
  const size = bytes.byteLength.toString(8).padStart(11, "0");
  file.write(name, 0, "latin1");
  file.write(`0000600\0${"0000000\0".repeat(2)}${size}\0${"0".repeat(11)}\0        0`, 100, "latin1");
  file.write("ustar\u000000", 257, "latin1");
  let sum = 0;
  for (let at = 0; at < 512; at += 1) sum += file[at] ?? 0;
  file.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  file.set(bytes, 512);
  return file;
};

/** The bytes of an archive with so many parts of one row each, a few at a time. */
async function* tarOf(parts: number): AsyncGenerator<Buffer> {
  const entries: Record<string, object> = {
    "manifest.json": { sha256: digestOf(manifest), sizeBytes: manifest.byteLength },
  };
  yield fileOf("manifest.json", manifest);
  for (let from = 0; from < parts; from += 1_000) {
    const files: Buffer[] = [];
    for (let part = from; part < Math.min(from + 1_000, parts); part += 1) {
      const name = `tables/users/${part}.ndjson`;
      entries[name] = { sha256: rowDigest, sizeBytes: row.byteLength };
      files.push(fileOf(name, row));
    }
    yield Buffer.concat(files);
  }
  yield fileOf("checksums.json", encoder.encode(JSON.stringify({ entries, rows: { users: parts } })));
  yield Buffer.alloc(1024);
}

const zeros = new Uint8Array(caps.objectBytes);
const zerosDigest = digestOf(zeros);

/** The bytes of an archive without an end, of so many objects with nothing in them but zeros, behind `first`. */
async function* bombOf(objects: number, first: Uint8Array): AsyncGenerator<Buffer> {
  yield fileOf("manifest.json", manifest);
  const contents = [first, ...Array.from({ length: objects }, () => zeros)];
  const digests = [digestOf(first), ...Array.from({ length: objects }, () => zerosDigest)];
  const versions = contents.map(() => crypto.randomUUID());
  const rows = versions.map((version, at) => ({ version, digest: digests[at], bucket: "https://b" }));
  const catalogue = rows.map((one) => JSON.stringify(one)).join("\n");
  yield fileOf("tables/stored_objects/0.ndjson", encoder.encode(catalogue));
  for (const [at, bytes] of contents.entries()) yield fileOf(`objects/${versions[at]}`, bytes);
}

/** How many bytes a reader takes of it, and what it says then. */
const readBomb = async (objects: number, first: Uint8Array) => {
  const archive = Buffer.concat(
    await Array.fromAsync(Readable.from(bombOf(objects, first)).pipe(createZstdCompress())),
  );
  const { entries } = await openArchive(Readable.from([archive]), { passphrase: null, identities: [] });
  let megabytes = 0;
  const readAll = async (): Promise<void> => {
    for await (const { bytes } of entries) megabytes += bytes.byteLength / 1e6;
  };
  return { failure: await failureOf(readAll()), megabytes };
};

test("X15: an archive of a few kilobytes that would unpack to gigabytes is refused before the first of them", async () => {
  const { failure, megabytes } = await readBomb(30, new Uint8Array());
  expect(failure).toMatchObject({ fault: "altered" });
  expect(megabytes).toBeLessThan(600);
}, 60_000);

test("as much is read through where the archive is large itself", async () => {
  const { failure, megabytes } = await readBomb(30, randomBytes(4_000_000));
  // Nothing is wrong with it but the end, which it lacks.
  expect(failure).toMatchObject({ fault: "truncated" });
  expect(megabytes).toBeGreaterThan(700);
}, 60_000);

/** What the process holds, in bytes: its resident size would count what former files of the process have freed. */
const heldBytes = (): number => {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
};

/** How many entries come out, and how much more the process held at most while they did. */
const readThrough = async (parts: number) => {
  const archive = Buffer.concat(
    await Array.fromAsync(Readable.from(tarOf(parts)).pipe(createZstdCompress())),
  );
  const before = heldBytes();
  let most = before;
  let count = 0;
  const { entries } = await openArchive(Readable.from([archive]), { passphrase: null, identities: [] });
  for await (const _ of entries) {
    count += 1;
    if (count % 10_000 === 0) most = Math.max(most, heldBytes());
  }
  most = Math.max(most, heldBytes());
  return { count, megabytes: (most - before) / 1e6 };
};

test("X15: an archive of 100,000 entries, the most there may be, is read through without holding what is in them", async () => {
  // With the manifest.
  const { count, megabytes } = await readThrough(caps.entries - 1);
  expect(count).toBe(caps.entries - 1);
  // They hold 200 MB, and kept would take twice that.
  expect(megabytes).toBeLessThan(250);
});
