import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { lstat, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { createPluginWorld } from "#api/testing/plugin-world.ts";
import { selectDesired } from "../life-cycle/host-store.ts";
import { unpackZip } from "../package/read-zip.ts";
import { createKeptAssets, createSiteScripts } from "./asset-source.ts";

let world: ReturnType<typeof createPluginWorld>;
const database = await databaseForFile();
beforeEach(() => {
  world = createPluginWorld(database.db);
});
afterEach(async () => {
  await world.close();
  for (const table of ["plugins", "plugin_versions"]) await database.db.execute(`delete from ${table}`);
});

const name = "visitor-notes";
const files = { "frontend/logo.svg": "<svg/>" };

const begin = async () => {
  const { host, folder } = world.createHost();
  let opened = 0;
  const assets = createKeptAssets({
    ...{ db: database.db, folder },
    open: (place) => {
      opened += 1;
      return host.openPackage(place);
    },
  });
  const look = async () => assets.reach(await selectDesired(database.db));
  await look();
  return { assets, folder, look, opens: () => opened };
};
const textOf = (bytes: Uint8Array | null | undefined): string | null =>
  bytes == null ? null : new TextDecoder().decode(bytes);

test("a file that the package lists is given, and no other", async () => {
  const { sha256 } = await world.install({ files });
  const { assets, opens } = await begin();
  const kept = await assets.open(name, sha256.slice(0, 12));
  expect(textOf(await kept?.read("frontend/logo.svg"))).toBe("<svg/>");
  for (const path of ["frontend/none.svg", "../../plugins", "frontend"])
    expect(await kept?.read(path)).toBeNull();
  expect((await assets.current(name))?.sha12).toBe(sha256.slice(0, 12));
  expect(opens()).toBe(1);
});

// Packed too tightly to be compressed in a package: its bytes are in the zip as they are.
const large = "a".repeat(1_100_000);
const withLarge = { files: { ...files, "assets/large.txt": large } };

/** A version with a large file, and where it is kept. */
const beginLarge = async () => {
  const { sha256, objectKey } = await world.install(withLarge);
  const begun = await begin();
  const kept = await begun.assets.open(name, sha256.slice(0, 12));
  const path = join(begun.folder, name, `1.0.0-${sha256.slice(0, 12)}.zip`);
  const stored = (await world.ctx.objects.get(objectKey)) ?? new Uint8Array();
  return { ...begun, kept, path, stored };
};

/** How many bytes this process has read from files so far, as Linux counts them. */
const bytesRead = async (): Promise<number> =>
  Number(/^rchar: (\d+)$/m.exec(await Bun.file("/proc/self/io").text())?.[1]);

test.if(process.platform === "linux")("a file of a large package is read without the others", async () => {
  const { kept, opens } = await beginLarge();
  const before = await bytesRead();
  for (let round = 0; round < 20; round += 1)
    expect(textOf(await kept?.read("frontend/logo.svg"))).toBe("<svg/>");
  expect((await bytesRead()) - before).toBeLessThan(large.length / 10);
  expect(opens()).toBe(1);
});

test.if(process.platform === "linux")(
  "who asks for the same file at the same time shares one read",
  async () => {
    const { kept, path, opens } = await beginLarge();
    const before = await bytesRead();
    const all = await Promise.all(Array.from({ length: 20 }, () => kept?.read("assets/large.txt")));
    expect((await bytesRead()) - before).toBeLessThan(large.length * 2);
    expect(all.map((bytes) => bytes?.length)).toEqual(all.map(() => large.length));
    await truncate(path, 0);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        kept?.read(at % 2 === 0 ? "assets/large.txt" : "frontend/logo.svg"),
      ),
    );
    expect(opens()).toBe(2);
  },
);

/** The same zip with other bytes in the large file: as many, and with the checksum that the zip has for them. */
const withSameChecksum = async (zip: Uint8Array): Promise<Uint8Array> => {
  const entry = (await unpackZip(zip)).entries.get("assets/large.txt");
  if (entry === undefined || entry.isDeflated) throw new Error("It has to be stored");
  const changed = new Uint8Array(zip);
  // The polynomial of CRC-32 itself, which changes no remainder.
  for (const [index, bits] of [0x41, 0x06, 0x71, 0xdb, 0x01].entries())
    changed[entry.at + index] = (changed[entry.at + index] ?? 0) ^ bits;
  expect(crc32(changed.subarray(entry.at, entry.at + entry.bytes))).toBe(entry.crc);
  return changed;
};

describe("P9: what was changed on this machine is not served, but the stored package, which replaces it:", () => {
  test.each<[string, (path: string, stored: Uint8Array) => Promise<unknown>]>([
    [
      "another package",
      async (path) => writeFile(path, await packPlugin({ files: { "frontend/logo.svg": "<svg id='1'/>" } })),
    ],
    [
      "another byte in the file",
      async (path, stored) => {
        const changed = new Uint8Array(stored);
        const at = (await unpackZip(stored)).entries.get("assets/large.txt")?.at ?? 0;
        changed[at] = 0x62;
        await writeFile(path, changed);
      },
    ],
    [
      "other bytes with the same checksum",
      async (path, stored) => writeFile(path, await withSameChecksum(stored)),
    ],
    ["a shorter zip", (path) => truncate(path, 1_000)],
    ["an empty file", (path) => truncate(path, 0)],
    ["a larger file than a package may be", (path) => truncate(path, 30_000_000)],
    ["no file", (path) => rm(path)],
    ["no folder", (path) => rm(join(path, ".."), { recursive: true })],
    [
      "a link to the very same content",
      async (path) => {
        await rename(path, `${path}.elsewhere`);
        await symlink(`${path}.elsewhere`, path);
      },
    ],
    [
      "a folder that is a link to another one",
      async (path) => {
        const folder = join(path, "..");
        await rename(folder, `${folder}-elsewhere`);
        await symlink(`${folder}-elsewhere`, folder);
      },
    ],
    [
      "a pipe",
      async (path) => {
        await rm(path);
        expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
      },
    ],
  ])("%s", async (_what, change) => {
    const { kept, path, stored, opens } = await beginLarge();
    await change(path, stored);
    expect(textOf(await kept?.read("assets/large.txt")) === large).toBe(true);
    expect(opens()).toBe(2);
    expect([(await lstat(path)).isFile(), (await lstat(join(path, ".."))).isDirectory()]).toEqual([
      true,
      true,
    ]);
    expect(stored).toEqual(new Uint8Array(await readFile(path)));
    expect(textOf(await kept?.read("frontend/logo.svg"))).toBe("<svg/>");
    expect(opens()).toBe(2);
  });

  test("a folder in the place of the zip, which stays", async () => {
    const { kept, path } = await beginLarge();
    await rm(path);
    await mkdir(path);
    expect(textOf(await kept?.read("frontend/logo.svg"))).toBe("<svg/>");
  });
});

test("a former version is given while it is kept", async () => {
  const former = await world.storeVersion({ version: "0.9.0", files });
  await world.install({ files });
  const { assets } = await begin();
  expect((await assets.open(name, former.sha256.slice(0, 12)))?.manifest.version).toBe("0.9.0");
  expect(await assets.open(name, "0123456789ab")).toBeNull();
});

test("of a plugin that is off there is nothing, from the moment that this is known", async () => {
  const { sha256 } = await world.install({ files });
  const { assets, look } = await begin();
  expect(await assets.current(name)).not.toBeNull();
  await world.want(name, { isEnabled: false });
  await look();
  expect([await assets.current(name), await assets.open(name, sha256.slice(0, 12))]).toEqual([null, null]);
});

test("a package that cannot be had now is asked for again the next time", async () => {
  const { objectKey, sha256 } = await world.install({ files });
  const bytes = (await world.ctx.objects.get(objectKey)) ?? new Uint8Array();
  await world.ctx.objects.delete(objectKey);
  const { assets, folder } = await begin();
  expect(await assets.open(name, sha256.slice(0, 12))).toBeNull();
  await world.ctx.objects.put(objectKey, bytes, { contentType: "application/zip" });
  rmSync(join(folder, name), { recursive: true, force: true });
  expect(await assets.open(name, sha256.slice(0, 12))).not.toBeNull();
});

test("P9: a script for every page is listed while its plugin runs and was granted it, and not otherwise", async () => {
  const frontend = { entry: "frontend/index.js", site: "frontend/site.js" };
  const live = await startLivePlugin({ manifest: { frontend, permissions: ["ui.page", "ui.site"] } });
  const { name } = live.manifest;
  const { door, list } = createSiteScripts();
  door.open({ ...live, granted: [{ name: "ui.page" }] });
  expect(list()).toEqual([]);
  door.open({ ...live, granted: [{ name: "ui.site" }] });
  const script = `/api/plugins/${name}/assets/${live.sha256.slice(0, 12)}/frontend/site.js`;
  expect(list()).toEqual([{ name, version: live.version, script }]);
  door.suspend(name);
  expect(list()).toEqual([]);
  door.open({ ...live, granted: [{ name: "ui.site" }] });
  door.close(name);
  expect(list()).toEqual([]);
  const without = await startLivePlugin({ manifest: {} });
  door.open({ ...without, granted: [{ name: "ui.site" }] });
  expect(list()).toEqual([]);
});
