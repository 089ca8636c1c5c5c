import { expect } from "bun:test";
import { bundledPlugin } from "#api/testing/bundled-plugin.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { sweepPackages, syncBundled } from "./packages.ts";

const core = { name: "alpha", manifest: { title: "Alpha" } };
const extra = { name: "beta", manifest: { title: "Beta", dependsOn: ["alpha"] } };
const host = await hostForFile({
  plugins: {
    bundled: [
      await bundledPlugin(core, { isCore: true, isEnabledAtFirst: true }),
      await bundledPlugin(extra),
    ],
  },
});
const calls = pluginCalls(await host.signedIn("admin"));
await syncBundled(host.services);
await host.plugins.converge([]);

// One installation is lived in from its first start on.
const step = inOrder();

step(
  "what is part of Atrium is there at the first start, as it is meant to be, and needs no consent",
  async () => {
    expect((await calls.list()).body.data).toMatchObject([
      { name: "alpha", enabled: true, core: true, tier: "bundled", state: "running" },
      { name: "beta", enabled: false, core: false, tier: "bundled" },
    ]);
    expect((await calls.toggle("beta", true)).status).toBe(200);
    await syncBundled(host.services);
    expect((await calls.list()).body.data).toMatchObject([{ enabled: true }, { enabled: true }]);
  },
);

step("P4: a core plugin cannot be deleted or replaced, even by force", async () => {
  for (const query of ["", "?force=true", "?retainData=true"]) {
    const { status, body } = await calls.remove("alpha", query);
    expect([status, body.code]).toEqual([409, "PLUGIN_IS_CORE"]);
  }
  const { status, body } = await calls.upload(await packPlugin({ ...core, version: "2.0.0" }));
  expect([status, body.code]).toEqual([422, "PLUGIN_INVALID"]);
});

step("a deleted one stays deleted until it is wanted again, whole", async () => {
  const download = await calls.remove("beta");
  expect(download.status).toBe(200);
  await syncBundled(host.services);
  expect((await calls.get("beta")).status).toBe(404);
  expect((await calls.call("POST", "/api/plugins/beta/restore")).status).toBe(201);
  expect((await calls.call("POST", "/api/plugins/beta/restore")).status).toBe(409);
  expect((await calls.toggle("beta", true)).status).toBe(200);
  await calls.remove("beta");
  const { body } = await calls.upload(await packPlugin(extra));
  expect(body.data).toMatchObject({ tier: "bundled", signature: { state: "bundled" }, enabled: false });
});

step("what a killed server left is swept once no upload can be under way, and nothing else", async () => {
  await calls.upload(await packPlugin({ name: "gamma" }));
  const { objects } = host.services;
  const put = (key: string) => objects.put(key, new Uint8Array([1]), { contentType: "application/zip" });
  await put("packages/gamma/9.9.9-left.zip");
  await put("plugin-files/gone/note.txt");
  await put("plugin-files/gamma/note.txt");
  const left = async () => (await objects.list("")).map(({ key }) => key);
  const all = await left();
  await sweepPackages(host.services);
  expect(await left()).toEqual(all);
  host.clock.advance(2 * 60 * 60 * 1_000);
  await sweepPackages(host.services);
  expect(await left()).toEqual(all.filter((key) => !/9\.9\.9|gone/.test(key)));
});
