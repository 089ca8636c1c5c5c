import { afterEach, beforeEach, expect, test } from "bun:test";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "#api/testing/failure-of.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { rules } from "#api/testing/signed-packages.ts";
import { createPackageSource, type PackagePlace } from "./package-source.ts";
import { readPackage } from "./read-package.ts";

let root: string;
let folder: string;
let outside: string;
let bytes: Uint8Array;
let place: PackagePlace;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "atrium-source-"));
  folder = join(root, "plugins");
  outside = join(root, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "letter.txt"), "dear");
  bytes = await packPlugin({ name: "keeper" });
  const { sha256 } = await readPackage(bytes, { trust: rules() });
  place = { name: "keeper", version: "1.0.0", sha256, objectKey: "packages/keeper.zip", storedAt: null };
});
afterEach(() => rm(root, { recursive: true }));

const createSource = () =>
  createPackageSource({
    folder,
    bundled: [],
    objects: { get: async () => new Uint8Array(bytes) },
  });
const untouched = async () => {
  expect(await readdir(outside)).toEqual(["letter.txt"]);
  expect(await readFile(join(outside, "letter.txt"), "utf8")).toBe("dear");
};

test("a link in the place of a plugin's folder is removed, and nothing behind it is written or deleted", async () => {
  await mkdir(folder);
  await symlink(outside, join(folder, "keeper"));
  const source = createSource();
  await source.open(place, rules());
  await untouched();
  expect((await lstat(join(folder, "keeper"))).isDirectory()).toBe(true);
  expect(await readdir(join(folder, "keeper"))).toEqual([`1.0.0-${place.sha256.slice(0, 12)}.zip`]);
});

test("a package is kept for its owner alone, ten that open it at the same time leave nothing else, and it is opened without the store", async () => {
  const source = createSource();
  await Promise.all(Array.from({ length: 10 }, () => source.open(place, rules())));
  const [name = "", ...others] = await readdir(join(folder, "keeper"));
  expect(others).toEqual([]);
  expect((await lstat(join(folder, "keeper", name))).mode & 0o777).toBe(0o600);
  expect((await lstat(join(folder, "keeper"))).mode & 0o777).toBe(0o700);
  bytes = new Uint8Array();
  expect((await source.open(place, rules())).manifest.name).toBe("keeper");
});

test("P5: a kept package that was changed on the disk is replaced by the stored one, and a changed one of the store never opened", async () => {
  const source = createSource();
  await source.open(place, rules());
  const path = join(folder, "keeper", `1.0.0-${place.sha256.slice(0, 12)}.zip`);
  const altered = await packPlugin({ name: "keeper", files: { "backend/more.js": "1" } });
  for (const changed of [altered, altered.slice(0, 100), new Uint8Array()]) {
    await writeFile(path, changed);
    expect((await source.open(place, rules())).sha256).toBe(place.sha256);
    expect(new Uint8Array(await readFile(path))).toEqual(new Uint8Array(bytes));
  }
  bytes = altered;
  await writeFile(path, altered);
  expect(await failureOf(source.open(place, rules()))).toMatchObject({ kind: "distrust" });
});

test("sweeping leaves kept packages alone, and removes what earlier versions of Atrium unpacked", async () => {
  const source = createSource();
  await source.open(place, rules());
  const kept = await readdir(join(folder, "keeper"));
  await mkdir(join(folder, "keeper", `1.0.0-${place.sha256.slice(0, 12)}`, "backend"), { recursive: true });
  await source.sweep([place]);
  expect(await readdir(join(folder, "keeper"))).toEqual(kept);
});

test("sweeping removes links themselves, of plugins that are kept and of those that are gone", async () => {
  await mkdir(join(folder, "other"), { recursive: true });
  for (const link of ["keeper", "gone", "other/0.9.0-abc"]) await symlink(outside, join(folder, link));
  const other = { name: "other", version: "1.0.0", sha256: "ab".repeat(32) };
  await createSource().sweep([place, other]);
  await untouched();
  expect(await readdir(folder)).toEqual(["other"]);
  expect(await readdir(join(folder, "other"))).toEqual([]);
});

test("a link in the place of the folder of all plugins is used for nothing", async () => {
  await symlink(outside, folder);
  const source = createSource();
  expect(await failureOf(source.open(place, rules()))).toMatchObject({ kind: "away" });
  expect(await failureOf(source.sweep([]))).toMatchObject({
    message: expect.stringContaining("is a link"),
  });
  await untouched();
  expect((await lstat(folder)).isSymbolicLink()).toBe(true);
});
