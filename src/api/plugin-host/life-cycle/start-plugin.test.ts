import { describe, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { pluginKeys, pluginVersions } from "#api/db/schema.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { pluginWorldForEachTest } from "#api/testing/plugin-world-for-each-test.ts";
import { until } from "#api/testing/until.ts";
import { generateKey } from "../package/keys.ts";
import type { RuntimeFailure } from "../runtime.ts";

const each = await pluginWorldForEachTest();
const { recorded, running } = each;
const name = "visitor-notes";
const crash: RuntimeFailure = { kind: "crash", reason: "Its process ended", hasRecovered: false };

describe("a package", () => {
  test("that cannot be read now makes its plugin wait, as long as it takes", async () => {
    await each.world.install();
    let isAway = true;
    const get = (key: string) =>
      isAway ? Promise.reject(new Error("away")) : each.world.ctx.objects.get(key);
    const { host } = each.world.createHost({ objects: { ...each.world.ctx.objects, get } });
    host.start();
    await until(() => host.observe(name).state === "failed");
    for (let round = 0; round < 6; round += 1) await host.converge([name]);
    expect(host.observe(name)).toMatchObject({
      ...{ state: "failed", error: "Its package can't be read at the moment" },
    });
    expect((await each.world.row()).isEnabled).toBe(true);
    isAway = false;
    each.world.clock.advance(15_000);
    await until(() => host.observe(name).state === "running");
    expect(await recorded()).toEqual(["plugin_failed high"]);
  });

  test("that was altered in the store is not started, and its plugin switched off", async () => {
    const { objectKey } = await each.world.install({ isEnabled: false });
    const bytes = (await each.world.ctx.objects.get(objectKey)) ?? new Uint8Array();
    await each.world.ctx.objects.put(objectKey, bytes.with(40, 1 - (bytes[40] ?? 0)), {
      contentType: "application/zip",
    });
    await each.world.want(name, { isEnabled: true });
    const { host, runtimes } = each.world.createHost();
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toEqual([]);
    await until(async () => !(await each.world.row()).isEnabled);
    expect(await recorded()).toEqual(["signature_failed critical"]);
  });

  test("in whose place another one was put is not started either", async () => {
    const { sha256 } = await each.world.install({ isEnabled: false });
    const other = await each.world.storeVersion({ version: "0.9.0" });
    await each.db
      .update(pluginVersions)
      .set({ objectKey: other.objectKey })
      .where(eq(pluginVersions.sha256, sha256));
    await each.world.want(name, { isEnabled: true });
    const { host, runtimes } = each.world.createHost();
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toEqual([]);
  });

  test("that its own publisher signed, too, does not take the place of the one that was stored", async () => {
    const { privateKey, publicKey, keyId } = generateKey();
    const key = { keyId, publicKey, label: "Tests", names: ["*"] };
    await each.db.insert(pluginKeys).values({ ...key, tier: "verified", createdAt: each.world.clock.now() });
    const signed = { privateKey, isAgreedTo: false, columns: { publisherKeyId: keyId } };
    const { objectKey } = await each.world.install({ ...signed, isEnabled: false });
    const other = await packPlugin({ privateKey, files: { "frontend/extra.js": "export default 1;" } });
    await each.world.ctx.objects.put(objectKey, other, { contentType: "application/zip" });
    await each.world.want(name, { isEnabled: true });
    const { host, runtimes } = each.world.createHost();
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(host.observe(name).error).toBe("Its stored package was changed: its bytes differ");
    expect(runtimes.runs).toEqual([]);
  });

  test("is taken from this machine when it was used before, and from the store when it was altered here", async () => {
    await each.world.install();
    let reads = 0;
    const get = (key: string) => {
      reads += 1;
      return each.world.ctx.objects.get(key);
    };
    const { host, folder, runtimes } = await running({ objects: { ...each.world.ctx.objects, get } });
    const zips = (await readdir(join(folder, name))).filter((entry) => entry.endsWith(".zip"));
    expect(zips).toHaveLength(1);
    runtimes.last().host.failed(crash);
    await until(() => runtimes.runs.length === 2);
    expect(reads).toBe(1);
    await writeFile(join(folder, name, zips[0] ?? ""), "something else");
    await until(() => host.observe(name).state === "running");
    runtimes.last().host.failed(crash);
    await until(() => runtimes.runs.length === 3);
    expect(reads).toBe(2);
  });

  test("that is no longer needed is removed here at the next start of a server", async () => {
    await each.world.install();
    const { host, folder } = await running();
    await host.stop();
    await each.world.remove(name);
    await each.db.delete(pluginVersions);
    const next = each.world.createHost({ folder });
    next.host.start();
    await until(async () => (await readdir(folder)).length === 0);
  });

  test("that is unsigned, and without consent, is not started", async () => {
    await each.world.install({ isAgreedTo: false });
    const { host, runtimes } = each.world.createHost();
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toEqual([]);
  });

  test("whose key is revoked ends its plugin while it runs, on every server", async () => {
    const { privateKey, publicKey, keyId } = generateKey();
    const now = each.world.clock.now();
    await each.db.insert(pluginKeys).values({
      ...{ keyId, publicKey, label: "Tests", tier: "verified", names: ["*"], createdAt: now },
    });
    await each.world.install({ privateKey, isAgreedTo: false, columns: { publisherKeyId: keyId } });
    const [one, other] = [await running(), await running()];
    await each.db.update(pluginKeys).set({ revokedAt: now });
    await each.world.tell(name);
    await until(() => one.host.observe(name).state === "quarantined");
    await until(() => other.host.observe(name).state === "quarantined");
    expect([one.runtimes.last().stopped, other.runtimes.last().stopped]).toEqual(["disable", "disable"]);
    // It is stopped first, and recorded then.
    await until(async () => (await each.world.row())?.isEnabled === false);
    expect(await each.world.row()).toMatchObject({
      ...{ isEnabled: false, quarantineReason: "The package is signed with a revoked key" },
    });
    expect(await recorded()).toEqual(["signature_failed critical"]);
  });

  test("whose key only expires keeps running, and starts again, and ends when that key is revoked", async () => {
    const { privateKey, publicKey, keyId } = generateKey();
    const now = each.world.clock.now();
    await each.db.insert(pluginKeys).values({
      ...{ keyId, publicKey, label: "Tests", tier: "verified", names: ["*"], createdAt: now },
      notAfter: new Date(now.getTime() + 60_000),
    });
    await each.world.install({ privateKey, isAgreedTo: false, columns: { publisherKeyId: keyId } });
    const { host, runtimes } = await running();
    each.world.clock.advance(120_000);
    await host.converge([name]);
    expect([host.observe(name).state, runtimes.runs.length]).toEqual(["running", 1]);
    runtimes.last().host.failed(crash);
    await until(() => runtimes.runs.length === 2);
    await until(() => host.observe(name).state === "running");
    await each.db.update(pluginKeys).set({ revokedAt: each.world.clock.now() });
    await each.world.tell(name);
    await until(() => host.observe(name).state === "quarantined");
  });

  test("keeps running while unrelated keys change", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    const { publicKey, keyId } = generateKey();
    await each.db.insert(pluginKeys).values({
      ...{
        keyId,
        publicKey,
        label: "Others",
        tier: "verified",
        names: ["*"],
        createdAt: each.world.clock.now(),
      },
    });
    await host.converge([name]);
    expect({ state: host.observe(name).state, runs: runtimes.runs.length }).toEqual({
      state: "running",
      runs: 1,
    });
  });
});
