import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles } from "./content-hash.ts";
import { packFolder } from "./pack.ts";
import { readUnpacked, unpackPackage } from "./package-source.ts";
import { type ReadPackage, readPackage } from "./read-package.ts";
import { PackageError } from "./read-zip.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const trust = {
  keys: [],
  allowUnsigned: true,
  allowNative: false,
  now: new Date(0),
  bundled: () => null,
  pinnedKeyId: null,
};

let root: string;
let read: ReadPackage;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "unpack-"));
  const manifest = {
    manifestVersion: 1,
    name: "visitor-notes",
    version: "1.2.3",
    backend: { entry: "backend/index.js" },
  };
  const zip = packFolder(
    new Map([
      ["plugin.json", bytes(JSON.stringify(manifest))],
      ["backend/index.js", bytes("export default {}")],
      ["assets/a/b/c.txt", bytes("c")],
    ]),
  );
  read = await readPackage(zip, { trust });
});

afterEach(() => rm(root, { recursive: true, force: true }));

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof PackageError ? error.code : error),
  );

test("a package is unpacked into a folder of its version and hash, and nothing else is left", async () => {
  const folder = await unpackPackage(read, root);
  expect(folder).toBe(join(root, "visitor-notes", `1.2.3-${read.sha256.slice(0, 12)}`));
  expect(await readUnpacked(folder, await listFiles(read.files))).toEqual(
    new Map([...read.files].sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  expect(await readdir(root)).toEqual(["visitor-notes"]);
  expect((await stat(join(folder, "backend/index.js"))).mode & 0o777).toBe(0o600);
});

test("unpacking again leaves what is there, and ten at the same time make one folder", async () => {
  const folders = await Promise.all(Array.from({ length: 10 }, () => unpackPackage(read, root)));
  const before = await stat(folders[0] ?? "");
  await unpackPackage(read, root);
  expect(new Set(folders).size).toBe(1);
  expect((await stat(folders[0] ?? "")).ino).toBe(before.ino);
  expect(await readdir(root)).toEqual(["visitor-notes"]);
});

test("ten that replace the same changed files at the same time make one folder", async () => {
  const folder = await unpackPackage(read, root);
  const list = await listFiles(read.files);
  for (let round = 0; round < 10; round += 1) {
    await writeFile(join(folder, "backend/index.js"), "changed");
    await Promise.all(Array.from({ length: 10 }, () => unpackPackage(read, root)));
    expect(await codeOf(readUnpacked(folder, list))).toBeNull();
    expect(await readdir(root)).toEqual(["visitor-notes"]);
  }
});

test("a refused write leaves nothing behind", async () => {
  await writeFile(join(root, "visitor-notes"), "in the way");
  expect(await codeOf(unpackPackage(read, root))).toBeInstanceOf(Error);
  expect(await readdir(root)).toEqual(["visitor-notes"]);
});

describe("P5: what was changed on the disk is told, and replaced by unpacking again:", () => {
  test.each<[string, (folder: string) => Promise<unknown>]>([
    [
      "a file of another content",
      (folder) => writeFile(join(folder, "backend/index.js"), "export default []"),
    ],
    ["a file that is shorter", (folder) => truncate(join(folder, "backend/index.js"), 3)],
    ["a file that is gone", (folder) => rm(join(folder, "assets/a/b/c.txt"))],
    ["a file more", (folder) => writeFile(join(folder, "backend/evil.js"), "")],
    ["a hidden file more", (folder) => writeFile(join(folder, ".evil"), "")],
    [
      "a link to the very same content",
      async (folder) => {
        await rename(join(folder, "backend/index.js"), join(root, "elsewhere.js"));
        await symlink(join(root, "elsewhere.js"), join(folder, "backend/index.js"));
      },
    ],
    [
      "a folder in place of a file",
      async (folder) => {
        await rm(join(folder, "plugin.json"));
        await mkdir(join(folder, "plugin.json"));
      },
    ],
    ["all of it gone", (folder) => rm(folder, { recursive: true })],
  ])("%s", async (_what, change) => {
    const folder = await unpackPackage(read, root);
    const list = await listFiles(read.files);
    await change(folder);
    expect(await codeOf(readUnpacked(folder, list))).toBe("unpacked_modified");
    await unpackPackage(read, root);
    expect(await codeOf(readUnpacked(folder, list))).toBeNull();
    expect((await readdir(root)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("a folder that is a link to another one", async () => {
    const folder = await unpackPackage(read, root);
    const list = await listFiles(read.files);
    await rename(join(folder, "backend"), join(root, "elsewhere"));
    await symlink(join(root, "elsewhere"), join(folder, "backend"));
    expect(await codeOf(readUnpacked(folder, list))).toBe("unpacked_modified");
  });
});

test("files are unpacked for their owner alone", async () => {
  const folder = await unpackPackage(read, root);
  await chmod(root, 0o755);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});
