import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { createPluginWorld } from "#api/testing/plugin-world.ts";
import { selectDesired } from "../life-cycle/host-store.ts";
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

test("what was altered or removed on this machine is taken from the package", async () => {
  const { sha256 } = await world.install({ files });
  const { assets, folder } = await begin();
  const kept = await assets.open(name, sha256.slice(0, 12));
  const path = join(folder, name, `1.0.0-${sha256.slice(0, 12)}.zip`);
  const altered = await packPlugin({ files: { "frontend/logo.svg": "<svg onload='alert(1)'/>" } });
  await writeFile(path, altered);
  expect(textOf(await kept?.read("frontend/logo.svg"))).toBe("<svg/>");
  await rm(join(folder, name), { recursive: true });
  expect(textOf(await kept?.read("frontend/logo.svg"))).toBe("<svg/>");
  expect(await readdir(folder)).toContain(name);
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
