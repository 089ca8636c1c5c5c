import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf } from "#api/core/ids.ts";
import { createObjectCache } from "./object-cache.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-cache-"));
  folders.push(folder);
  return join(folder, "cache/objects");
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const bytesOf = (word: string, sizeBytes = 1_000): Uint8Array =>
  new Uint8Array(Buffer.alloc(sizeBytes, word));

test("content that was put is there, for the owner of the folder alone", async () => {
  const folder = newFolder();
  const cache = createObjectCache({ folder });
  const bytes = bytesOf("a");
  expect(await cache.get(digestOf(bytes))).toBeNull();
  await cache.put(digestOf(bytes), bytes);
  expect(await cache.get(digestOf(bytes))).toEqual(bytes);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, digestOf(bytes))).mode & 0o777).toBe(0o600);
  expect(await createObjectCache({ folder }).get(digestOf(bytes))).toEqual(bytes);
});

test("S5: content that was changed on the disk is not given out, and is removed", async () => {
  const folder = newFolder();
  const cache = createObjectCache({ folder });
  const digest = digestOf(bytesOf("a"));
  await cache.put(digest, bytesOf("a"));
  writeFileSync(join(folder, digest), bytesOf("b"));
  expect(await cache.get(digest)).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

test("the folder stays within its size: what was asked for longest ago goes first", async () => {
  const folder = newFolder();
  const cache = createObjectCache({ folder, mostBytes: 3_000 });
  const [a, b, c, d] = ["a", "b", "c", "d"].map((word) => bytesOf(word));
  for (const [index, bytes] of [a, b, c].entries()) {
    if (bytes === undefined) continue;
    await cache.put(digestOf(bytes), bytes);
    utimesSync(join(folder, digestOf(bytes)), index, index);
  }
  if (a === undefined || b === undefined || d === undefined) throw new Error("unreachable");
  await cache.get(digestOf(a));
  await cache.put(digestOf(d), d);
  expect(await cache.get(digestOf(b))).toBeNull();
  expect(await cache.get(digestOf(a))).toEqual(a);
  expect(readdirSync(folder)).toHaveLength(3);
  await cache.put(digestOf(bytesOf("e", 2_000)), bytesOf("e", 2_000));
  expect(readdirSync(folder)).toHaveLength(3);
});

test("a folder that cannot be made makes nothing fail", async () => {
  const parent = mkdtempSync(join(tmpdir(), "atrium-cache-"));
  folders.push(parent);
  writeFileSync(join(parent, "file"), "");
  const cache = createObjectCache({ folder: join(parent, "file/objects") });
  await cache.put(digestOf(bytesOf("a")), bytesOf("a"));
  expect(await cache.get(digestOf(bytesOf("a")))).toBeNull();
});
