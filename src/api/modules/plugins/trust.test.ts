import { afterEach, describe, expect, test } from "bun:test";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost } from "#api/testing/host.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { altered, publisher, stranger } from "#api/testing/signed-packages.ts";
import { stayProven } from "#api/testing/stay-proven.ts";

const host = await hostForFile();
const admin = await host.signedIn("admin");
await stayProven(host, admin);
const calls = pluginCalls(admin);
const newRows = createActivityReader(host.services);
afterEach(async () => {
  await calls.remove("alpha");
  host.clock.advance(61_000);
  // What is compared later shows when the session was used.
  await calls.list();
  await newRows();
});

const path = "/api/admin/plugin-keys";
const alpha = (version = "1.0.0", privateKey?: string) =>
  packPlugin({ name: "alpha", version, manifest: { title: "Alpha" }, ...(privateKey ? { privateKey } : {}) });
const stored = async () => withoutLog(await contentsOf(host.db));
const trust = async ({ publicKey } = publisher) => {
  const { status } = await calls.call("POST", path, { publicKey, label: "Ada" });
  expect([201, 409]).toContain(status);
};

describe("P5: a package that", () => {
  test("was changed after signing is refused and stays nowhere, with one row in the log", async () => {
    await trust();
    await newRows();
    const before = await stored();
    const zip = await altered(await alpha("1.0.0", publisher.privateKey), { "backend/index.js": "evil()" });
    const { status, body } = await calls.upload(zip);
    expect([status, body.code]).toEqual([422, "PLUGIN_INVALID"]);
    expect(await newRows()).toMatchObject([
      { type: "signature_failed", status: "failure", pluginName: "alpha" },
    ]);
    expect(await stored()).toEqual(before);
  });

  test("is no package is refused and stays nowhere, with one row in the log", async () => {
    await newRows();
    const before = await stored();
    const { status, body } = await calls.upload(await altered(await alpha(), { "plugin.json": "{}" }));
    expect([status, body.code]).toEqual([422, "PLUGIN_INVALID"]);
    expect(body.errors).not.toEqual([]);
    expect(await newRows()).toMatchObject([{ type: "plugin_failed", status: "failure" }]);
    expect(await stored()).toEqual(before);
  });

  test("needs another Atrium is refused in words", async () => {
    const zip = await packPlugin({ name: "alpha", manifest: { engines: { atrium: ">=99.0.0" } } });
    const { status, body } = await calls.upload(zip);
    expect([status, body.message]).toEqual([422, "This plugin needs Atrium >=99.0.0; this is 0.0.0"]);
  });

  test("a trusted key signed needs no consent, until someone else signs it", async () => {
    await trust();
    await newRows();
    const { body } = await calls.upload(await alpha("1.0.0", publisher.privateKey));
    expect(body.data).toMatchObject({ tier: "verified", signature: { state: "signed", publisher: "Ada" } });
    expect((await newRows()).map(({ type }) => String(type)).sort()).toEqual([
      "plugin_installed",
      "signature_verified",
    ]);
    expect((await calls.toggle("alpha", true)).status).toBe(200);
    const grace = generateKey();
    await calls.call("POST", path, { publicKey: grace.publicKey, label: "Grace" });
    const trusted = await calls.upload(await alpha("1.0.1", grace.privateKey));
    expect(trusted.body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.0.1" });
    const other = await calls.upload(await alpha("1.1.0", stranger.privateKey));
    expect(other.body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.1.0" });
    const unsigned = await calls.upload(await alpha("1.2.0"));
    expect(unsigned.body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.2.0" });
    const changed = { publisherChanged: { to: "unsigned", fromName: "Ada" } };
    expect((await calls.inspect(await alpha("1.2.0"))).body.data).toMatchObject(changed);
    expect((await calls.get("alpha")).body.data).toMatchObject(changed);
    expect((await calls.inspect(await alpha("1.3.0", publisher.privateKey))).body.data).toMatchObject({
      publisherChanged: null,
    });
    expect(await host.services.objects.list("packages/")).toHaveLength(2);
  });

  test("was replaced where it is stored is not enabled", async () => {
    await calls.upload(await alpha());
    const [entry] = await host.services.objects.list("packages/");
    const other = await packPlugin({ name: "alpha", manifest: { title: "Other" } });
    await host.services.objects.put(entry?.key ?? "", other, { contentType: "application/zip" });
    const { status, body } = await calls.toggle("alpha", true, true);
    expect([status, body.code]).toEqual([409, "PLUGIN_UNTRUSTED"]);
  });
});

test("P5: a server that allows no unsigned plugins stores one and does not enable it, even with consent", async () => {
  const strict = await createTestHost({ plugins: { allowUnsigned: false } });
  const strictCalls = pluginCalls(await strict.signedIn("admin"));
  expect((await strictCalls.upload(await alpha())).status).toBe(201);
  const { status, body } = await strictCalls.toggle("alpha", true, true);
  expect([status, body.code]).toEqual([409, "PLUGIN_UNTRUSTED"]);
  await strict.close();
});

test("P5: nothing of a package runs when it is looked at, listed or installed", async () => {
  const tried = host.plugins.tried.length;
  await calls.inspect(await alpha());
  await calls.upload(await alpha());
  await calls.list();
  await calls.get("alpha");
  expect(host.plugins.tried).toHaveLength(tried);
});

test("looking at a package stores nothing", async () => {
  const before = await stored();
  const { status, body } = await calls.inspect(await alpha());
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ name: "alpha", installedVersion: null, obstacles: [] });
  expect(await stored()).toEqual(before);
});

test("L1: a manifest's texts are stored and told as they were given", async () => {
  const title = `<img src=x onerror=alert(1)>"'&`;
  await calls.upload(
    await packPlugin({ name: "alpha", manifest: { title, description: `</script>${title}` } }),
  );
  expect((await calls.get("alpha")).body.data).toMatchObject({ title, description: `</script>${title}` });
});

describe("publishers' keys:", () => {
  test("a revoked one immediately and permanently stops what it signed", async () => {
    const revoked = generateKey();
    await trust(revoked);
    await calls.upload(await alpha("1.0.0", revoked.privateKey));
    await calls.toggle("alpha", true);
    await newRows();
    const { status, body } = await calls.call("POST", `${path}/${revoked.keyId}/revoke`);
    expect([status, body.message]).toEqual([200, "The key was revoked, which stopped Alpha"]);
    expect((await calls.get("alpha")).body.data).toMatchObject({
      ...{ enabled: false, state: "quarantined", error: "It was signed with a key that is revoked" },
      signature: { state: "revoked" },
    });
    const critical = (await newRows()).filter(({ severity }) => severity === "critical");
    expect(critical.map(({ type }) => String(type)).sort()).toEqual(["admin_action", "signature_failed"]);
    const again = await calls.toggle("alpha", true, true);
    expect([again.status, again.body.code]).toEqual([409, "PLUGIN_UNTRUSTED"]);
    expect((await calls.call("POST", `${path}/${revoked.keyId}/revoke`)).status).toBe(409);
    expect((await calls.call("PATCH", `${path}/${revoked.keyId}`, { label: "Eve" })).status).toBe(409);
  });

  test("one that is trusted later shows who signed what is there already, and when", async () => {
    const { publicKey, privateKey } = generateKey();
    await calls.upload(await alpha("1.0.0", privateKey));
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    const signature = async () => Object((await calls.get("alpha")).body.data).signature;
    expect(await signature()).toMatchObject({ state: "unsigned", keyId: null, signedAt: null });
    expect((await calls.call("POST", path, { publicKey, label: "Late" })).status).toBe(201);
    expect(await signature()).toMatchObject({
      ...{ state: "signed", publisher: "Late" },
      ...{ keyId: expect.any(String), signedAt: expect.any(String) },
    });
  });

  test("what a revoked one stopped is not said of a version that another signed", async () => {
    const [former, next] = [generateKey(), generateKey()];
    for (const { publicKey } of [former, next]) await calls.call("POST", path, { publicKey, label: "Grace" });
    await calls.upload(await alpha("1.0.0", next.privateKey));
    await calls.toggle("alpha", true, true);
    await calls.upload(await alpha("1.1.0", former.privateKey));
    const replace = (version: string) =>
      calls.call("POST", "/api/plugins/alpha/replace-publisher", { version, consent: true });
    expect((await replace("1.1.0")).status).toBe(200);
    await calls.call("POST", `${path}/${former.keyId}/revoke`);
    expect((await calls.get("alpha")).body.data).toMatchObject({ state: "quarantined" });
    expect((await replace("1.0.0")).body).toMatchObject({
      message: "Alpha 1.0.0 installed, published by Grace",
      data: { state: "disabled", error: null },
    });
  });

  test("one that fits any message, or is none, is refused", async () => {
    for (const raw of [new Uint8Array(32), new Uint8Array(31), new Uint8Array(32).fill(255)]) {
      const publicKey = Buffer.from(raw).toString("base64");
      const { status, body } = await calls.call("POST", path, { publicKey, label: "Weak" });
      expect([status, body.code]).toEqual([422, "VALIDATION_FAILED"]);
    }
  });

  test("only the operator lets one sign what runs inside the server", async () => {
    const body = { publicKey: stranger.publicKey, label: "Native", tier: "native" };
    expect((await calls.call("POST", path, body)).status).toBe(403);
    const request = new Request("http://localhost/api/admin/plugin-keys", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect((await host.app.handle(request, { via: "socket" })).status).toBe(201);
    expect((await calls.call("PATCH", `${path}/${stranger.keyId}`, { names: ["*"] })).status).toBe(403);
  });
});
