import { afterEach, describe, expect, test } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { publisher } from "#api/testing/signed-packages.ts";
import { stayProven } from "#api/testing/stay-proven.ts";

const host = await hostForFile();
const admin = await host.signedIn("admin");
await stayProven(host, admin);
const calls = pluginCalls(admin);
const newRows = createActivityReader(host.services);
await calls.call("POST", "/api/admin/plugin-keys", { publicKey: publisher.publicKey, label: "Ada" });
afterEach(async () => {
  host.plugins.failures.clear();
  host.plugins.tried.length = 0;
  await calls.remove("alpha");
  host.clock.advance(61_000);
  await newRows();
});

// Signed: new code of an unsigned plugin waits for consent in any case.
const { privateKey } = publisher;
const alpha = (version: string, permissions: string[] = []) =>
  packPlugin({ name: "alpha", version, manifest: { title: "Alpha", permissions }, privateKey });
/** Installs and enables a first version. */
const running = async (version = "1.0.0", permissions: string[] = []) => {
  expect((await calls.upload(await alpha(version, permissions))).status).toBe(201);
  expect((await calls.toggle("alpha", true, true)).status).toBe(200);
  host.plugins.tried.length = 0;
  await newRows();
};
const types = async () =>
  (await newRows()).flatMap(({ type }) => (type === "api_call" ? [] : [String(type)]));
const kept = async (): Promise<string[]> => {
  const { data } = JSON.parse(JSON.stringify((await calls.get("alpha")).body));
  return data.versions.map((one: { version: string }) => one.version).sort();
};
const packages = async () => (await host.services.objects.list("packages/")).length;

test("a newer version that asks for nothing new takes over once it has started beside the old one", async () => {
  await running();
  const { status, body } = await calls.upload(await alpha("1.1.0"));
  expect([status, body.message]).toEqual([201, "Alpha updated to 1.1.0"]);
  expect(body.data).toMatchObject({
    version: "1.1.0",
    enabled: true,
    state: "running",
    pendingVersion: null,
  });
  expect(host.plugins.tried).toEqual([
    { name: "alpha", version: "1.1.0", migrateFrom: "1.0.0", outcome: "kept" },
  ]);
  expect(await types()).toEqual(["signature_verified", "plugin_hot_reloaded"]);
});

test("one that asks for more waits for consent while the old one keeps running", async () => {
  await running("1.0.0", ["routes"]);
  const { status, body } = await calls.upload(await alpha("1.1.0", ["routes", "storage.kv"]));
  expect([status, body.message]).toEqual([201, "Alpha 1.1.0 is stored and waits for your consent"]);
  expect(body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.1.0", state: "running" });
  expect((await calls.get("alpha")).body.data).toMatchObject({
    pendingPermissions: [{ name: "storage.kv" }],
  });
  expect((await calls.activate("alpha", "1.1.0")).body.code).toBe("CONSENT_REQUIRED");
  await newRows();
  const { body: activated } = await calls.activate("alpha", "1.1.0", true);
  expect(activated.data).toMatchObject({ version: "1.1.0", pendingVersion: null });
  expect((await types()).sort()).toEqual(["permission_granted", "plugin_hot_reloaded"]);
});

test("one that cannot start waits with its reason, the old one keeps running, and it can be tried again", async () => {
  await running();
  host.plugins.failures.set("alpha@1.1.0", "It threw");
  const { status, body } = await calls.upload(await alpha("1.1.0"));
  expect([status, body.message]).toEqual([201, "Alpha 1.1.0 is stored but not in use: It threw"]);
  expect(body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.1.0", error: "It threw" });
  expect(await types()).toEqual(["signature_verified", "plugin_failed"]);
  const again = await calls.activate("alpha", "1.1.0");
  expect([again.status, again.body.code]).toEqual([409, "PLUGIN_START_FAILED"]);
  expect(await types()).toEqual(["plugin_failed"]);
  host.plugins.failures.clear();
  expect((await calls.activate("alpha", "1.1.0")).body.data).toMatchObject({ version: "1.1.0", error: null });
});

test("P5: an older version, and the same again, are taken only when that is asked for", async () => {
  await running("1.1.0");
  for (const version of ["1.0.0", "1.1.0"]) {
    const { status, body } = await calls.upload(await alpha(version));
    expect([status, body.code]).toEqual([409, "PLUGIN_EXISTS"]);
    expect(await newRows()).toMatchObject([
      { type: "plugin_failed", status: "failure", pluginName: "alpha" },
    ]);
    host.clock.advance(61_000);
  }
  expect(await packages()).toBe(1);
  const { status, body } = await calls.upload(await alpha("1.0.0"), "?allowDowngrade=true");
  expect([status, body.message]).toEqual([201, "Alpha was rolled back to 1.0.0"]);
  expect((await calls.get("alpha")).body.data).toMatchObject({ version: "1.0.0" });
});

test("the same version is replaced while it runs, and its former bytes go", async () => {
  await running();
  const other = await packPlugin({ name: "alpha", manifest: { title: "Alpha two" }, privateKey });
  const { body } = await calls.upload(other, "?allowDowngrade=true");
  expect(body.data).toMatchObject({ title: "Alpha two", version: "1.0.0", enabled: true });
  expect(await packages()).toBe(1);
  host.plugins.failures.set("alpha@1.0.0", "It threw");
  const failed = await calls.upload(await alpha("1.0.0"), "?allowDowngrade=true");
  expect([failed.status, failed.body.code]).toEqual([409, "PLUGIN_START_FAILED"]);
  expect(await packages()).toBe(1);
  expect((await calls.get("alpha")).body.data).toMatchObject({ title: "Alpha two", pendingVersion: null });
});

test("three versions are kept, one of which can be gone back to or discarded", async () => {
  await running();
  for (const version of ["1.1.0", "1.2.0", "1.3.0"]) {
    host.clock.advance(1_000);
    await calls.upload(await alpha(version));
  }
  expect(await kept()).toEqual(["1.1.0", "1.2.0", "1.3.0"]);
  expect(await packages()).toBe(3);
  expect((await calls.activate("alpha", "1.2.0")).body.message).toBe("Alpha was rolled back to 1.2.0");
  const discard = (version: string) => calls.call("DELETE", `/api/plugins/alpha/versions/${version}`);
  expect((await discard("1.2.0")).status).toBe(409);
  expect((await discard("1.0.0")).status).toBe(404);
  expect((await discard("1.3.0")).status).toBe(200);
  expect(await kept()).toEqual(["1.1.0", "1.2.0"]);
  expect(await packages()).toBe(2);
});

test("a version that waits is one of the three, and pushes the oldest out", async () => {
  await running();
  for (const version of ["1.1.0", "1.2.0"]) {
    host.clock.advance(1_000);
    await calls.upload(await alpha(version));
  }
  host.plugins.failures.set("alpha@1.3.0", "It threw");
  await calls.upload(await alpha("1.3.0"));
  expect(await kept()).toEqual(["1.1.0", "1.2.0", "1.3.0"]);
  expect(await packages()).toBe(3);
});

test("a version that waits is dropped once a newer one runs, and stays when an older one is gone back to", async () => {
  await running();
  host.clock.advance(1_000);
  await calls.upload(await alpha("1.1.0"));
  host.plugins.failures.set("alpha@1.3.0", "It threw");
  await calls.upload(await alpha("1.3.0"));
  const { body } = await calls.activate("alpha", "1.0.0");
  expect(body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.3.0", error: "It threw" });
  host.clock.advance(1_000);
  const { body: updated } = await calls.upload(await alpha("1.4.0"));
  expect(updated.data).toMatchObject({ version: "1.4.0", pendingVersion: null, error: null });
  expect(await kept()).toEqual(["1.0.0", "1.1.0", "1.4.0"]);
  expect(await packages()).toBe(3);
});

describe("a deleted plugin", () => {
  const fields = { greeting: { type: "string" }, apiKey: { type: "string", "x-secret": true } };
  const withSettings = () =>
    packPlugin({
      name: "alpha",
      manifest: {
        title: "Alpha",
        settings: { schema: { type: "object", properties: fields } },
      },
    });
  const greeting = async () => {
    const { data } = JSON.parse(
      JSON.stringify((await calls.call("GET", "/api/plugins/alpha/settings")).body),
    );
    return data.values.greeting;
  };
  const settle = async (query: string) => {
    await calls.upload(await withSettings());
    await calls.toggle("alpha", true, true);
    await calls.call("PUT", "/api/plugins/alpha/settings", {
      values: { greeting: "Good day", apiKey: "hush-hush" },
    });
    expect((await calls.remove("alpha", query)).status).toBe(200);
    expect((await calls.inspect(await withSettings())).body.data).toMatchObject({
      hasRetainedData: query !== "",
    });
    expect((await calls.upload(await withSettings())).status).toBe(201);
    expect((await calls.call("GET", "/api/plugins/alpha/settings")).body.data).toMatchObject({
      secrets: { apiKey: query !== "" },
    });
  };

  test("comes back with its settings and grants when its data was retained", async () => {
    await settle("?retainData=true");
    expect(await greeting()).toBe("Good day");
    expect((await calls.toggle("alpha", true)).status).toBe(200);
  });

  test("starts from its defaults otherwise, and asks for consent again", async () => {
    await settle("");
    expect(await greeting()).toBeUndefined();
    expect((await calls.toggle("alpha", true)).body.code).toBe("CONSENT_REQUIRED");
  });
});
