import { expect, test } from "bun:test";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import { createSiteScripts } from "./site-scripts.ts";

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
