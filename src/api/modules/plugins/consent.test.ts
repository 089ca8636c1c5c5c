import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { plugins } from "#api/db/schema.ts";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { altered, stranger } from "#api/testing/signed-packages.ts";

let host: TestHost;
let calls: ReturnType<typeof pluginCalls>;
beforeAll(async () => {
  host = await createTestHost();
  calls = pluginCalls(await host.signedIn("admin"));
});
afterAll(() => host.close());
afterEach(async () => {
  host.plugins.failures.clear();
  await calls.remove("alpha");
});

const keys = "/api/admin/plugin-keys";
const alpha = (
  version: string,
  { permissions = [], privateKey }: { permissions?: string[]; privateKey?: string } = {},
) => {
  const manifest = { title: "Alpha", permissions };
  return packPlugin({ name: "alpha", version, manifest, ...(privateKey ? { privateKey } : {}) });
};
/** A package that names a key which never signed it. */
const claiming = async (keyId: string, version: string) => {
  const zip = await alpha(version, { privateKey: stranger.privateKey });
  const sig = Buffer.alloc(64, 7).toString("base64");
  return altered(zip, { "signature.json": JSON.stringify({ alg: "ed25519", keyId, sig }) });
};
const rowOf = async () => {
  const [row] = await host.db.select().from(plugins).where(eq(plugins.name, "alpha"));
  return row;
};
/** What a refusal asks for. */
const askedIn = ({ body }: { body: { data?: unknown } }) =>
  JSON.parse(JSON.stringify(body.data)) as { version: string; sha256: string; permissions: unknown[] };
const toggle = (body: Record<string, unknown>) => calls.call("POST", "/api/plugins/alpha/toggle", body);
const activate = (version: string, body: Record<string, unknown>) =>
  calls.call("POST", `/api/plugins/alpha/versions/${version}/activate`, body);

describe("P5: a publisher", () => {
  test("is known by a verified signature alone: a key that is only named is pinned nowhere", async () => {
    await calls.upload(await alpha("1.0.0", { privateKey: stranger.privateKey }));
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    expect(await rowOf()).toMatchObject({ publisherKeyId: null });
    const { body } = await calls.get("alpha");
    expect(body.data).toMatchObject({
      signature: { state: "unsigned", keyId: null, claimedKeyId: stranger.keyId },
    });
    const forged = await calls.upload(await claiming(stranger.keyId, "1.2.0"));
    expect(forged.body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.2.0" });
    const stripped = await calls.upload(await alpha("1.3.0"));
    expect(stripped.body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.3.0" });
  });

  test("stays pinned when the key is known no longer, so that naming it does not pass for a signature", async () => {
    const former = generateKey();
    await calls.call("POST", keys, { publicKey: former.publicKey, label: "Former" });
    await calls.upload(await alpha("1.0.0", { permissions: ["routes"], privateKey: former.privateKey }));
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    expect(await rowOf()).toMatchObject({ publisherKeyId: former.keyId });
    await host.db.execute(`delete from plugin_keys where key_id = '${former.keyId}'`);
    const forged = await calls.upload(await claiming(former.keyId, "1.2.0"));
    expect(forged.body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.2.0" });
  });

  test("whose key is trusted later is recognized once the plugin is activated again, and revoking stops it", async () => {
    const late = generateKey();
    await calls.upload(await alpha("1.0.0", { privateKey: late.privateKey }));
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    await calls.call("POST", keys, { publicKey: late.publicKey, label: "Late" });
    await calls.toggle("alpha", false);
    expect((await calls.toggle("alpha", true)).body.data).toMatchObject({
      signature: { state: "signed", keyId: late.keyId, publisher: "Late" },
    });
    await calls.call("POST", `${keys}/${late.keyId}/revoke`);
    expect((await calls.get("alpha")).body.data).toMatchObject({
      ...{ enabled: false, signature: { state: "revoked" } },
    });
  });
});

describe("P5: consent", () => {
  test("is asked for again by an update that names a host which was not granted", async () => {
    const { publicKey, privateKey } = generateKey();
    const calling = (version: string, hosts: string[]) => {
      const permissions = [{ name: "net.fetch", hosts, reason: "looks up" }];
      return packPlugin({ name: "alpha", version, manifest: { title: "Alpha", permissions }, privateKey });
    };
    await calls.call("POST", keys, { publicKey, label: "Hosts" });
    await calls.upload(await calling("1.0.0", ["api.example.com"]));
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    const same = await calls.upload(await calling("1.1.0", ["api.example.com"]));
    expect(same.body.data).toMatchObject({ version: "1.1.0", pendingVersion: null });
    const more = await calls.upload(await calling("1.2.0", ["api.example.com", "other.example.com"]));
    expect(more.body.data).toMatchObject({ version: "1.1.0", pendingVersion: "1.2.0" });
  });

  test("to enable is for the bytes that were shown, and asked for again when they have changed meanwhile", async () => {
    await calls.upload(await alpha("1.0.0", { permissions: ["routes"] }));
    const shown = askedIn(await calls.toggle("alpha", true));
    expect(shown).toMatchObject({ version: "1.0.0", permissions: [{ name: "routes" }] });
    await calls.upload(await alpha("1.0.1", { permissions: ["routes", "storage.kv"] }));
    const refused = await toggle({ enabled: true, consent: true, sha256: shown.sha256 });
    expect([refused.status, refused.body.code]).toEqual([409, "CONSENT_REQUIRED"]);
    const now = askedIn(refused);
    expect(now).toMatchObject({
      version: "1.0.1",
      permissions: [{ name: "routes" }, { name: "storage.kv" }],
    });
    expect(await rowOf()).toMatchObject({ isEnabled: false, granted: [] });
    expect((await toggle({ enabled: true, consent: true, sha256: now.sha256 })).status).toBe(200);
  });

  test("to a version that waits is for the bytes that were shown", async () => {
    await calls.upload(await alpha("1.0.0"));
    await calls.toggle("alpha", true, true);
    await calls.upload(await alpha("1.1.0", { permissions: ["routes"] }));
    const shown = askedIn(await calls.activate("alpha", "1.1.0"));
    expect(shown).toMatchObject({ version: "1.1.0" });
    await calls.upload(
      await alpha("1.1.0", { permissions: ["routes", "storage.kv"] }),
      "?allowDowngrade=true",
    );
    const refused = await activate("1.1.0", { consent: true, sha256: shown.sha256 });
    expect([refused.status, refused.body.code]).toEqual([409, "CONSENT_REQUIRED"]);
    expect(await rowOf()).toMatchObject({ version: "1.0.0", granted: [] });
    const { sha256 } = askedIn(refused);
    expect((await activate("1.1.0", { consent: true, sha256 })).status).toBe(200);
  });

  test("without a hash grants what the stored version asks for, as scripts do", async () => {
    await calls.upload(await alpha("1.0.0", { permissions: ["routes"] }));
    expect((await toggle({ enabled: true, consent: true })).status).toBe(200);
    expect(await rowOf()).toMatchObject({ granted: [{ name: "routes" }] });
  });

  test("is given with a hash in hexadecimal digits alone", async () => {
    await calls.upload(await alpha("1.0.0"));
    const { status, body } = await toggle({ enabled: true, consent: true, sha256: "what I saw" });
    expect([status, body.code]).toEqual([422, "VALIDATION_FAILED"]);
  });

  test("kept with a plugin's data is for the bytes that were agreed to, however many come after", async () => {
    await calls.upload(await alpha("1.0.0"));
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    await calls.remove("alpha", "?retainData=true");
    await calls.upload(await alpha("1.0.1"));
    expect((await calls.toggle("alpha", true)).body.code).toBe("CONSENT_REQUIRED");
    for (const version of ["1.0.2", "1.0.3"]) {
      await calls.upload(await alpha(version));
      expect((await calls.toggle("alpha", true)).body.code).toBe("CONSENT_REQUIRED");
    }
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    expect((await calls.upload(await alpha("1.0.4"))).body.data).toMatchObject({
      ...{ version: "1.0.3", pendingVersion: "1.0.4" },
    });
  });
});

describe("enabling a plugin that is enabled and does not run", () => {
  test("starts it again, and says why when it fails again", async () => {
    await calls.upload(await alpha("1.0.0"));
    await calls.toggle("alpha", true, true);
    host.plugins.failures.set("alpha@1.0.0", "It threw");
    await host.plugins.converge(["alpha"]);
    const { status, body } = await calls.toggle("alpha", true);
    expect([status, body.code]).toEqual([409, "PLUGIN_START_FAILED"]);
    expect(String(body.message)).toContain("It threw");
    host.plugins.failures.clear();
    expect((await calls.toggle("alpha", true)).body.data).toMatchObject({ state: "running" });
  });

  test("says that it is not trusted any more", async () => {
    await calls.upload(await alpha("1.0.0"));
    await calls.toggle("alpha", true, true);
    host.plugins.failures.set("alpha@1.0.0", "Only signed plugins may run here");
    await host.plugins.converge(["alpha"]);
    const [entry] = await host.services.objects.list("packages/");
    await host.services.objects.put(entry?.key ?? "", await alpha("9.9.9"), {
      contentType: "application/zip",
    });
    const { status, body } = await calls.toggle("alpha", true);
    expect([status, body.code]).toEqual([409, "PLUGIN_UNTRUSTED"]);
  });
});

test("a key that only expired stops nothing that was stored while it was valid, and lets nothing new in", async () => {
  const short = generateKey();
  const notAfter = new Date(host.clock.now().getTime() + 3_600_000).toISOString();
  const { status } = await calls.call("POST", keys, { publicKey: short.publicKey, label: "Short", notAfter });
  expect(status).toBe(201);
  await calls.upload(await alpha("1.0.0", { privateKey: short.privateKey }));
  await calls.toggle("alpha", true);
  await calls.toggle("alpha", false);
  host.clock.advance(2 * 3_600_000);
  calls = pluginCalls(await host.signedIn("admin"));
  expect((await calls.toggle("alpha", true)).body.data).toMatchObject({ enabled: true, tier: "verified" });
  const late = await calls.upload(await alpha("1.1.0", { privateKey: short.privateKey }));
  expect([late.status, late.body.code]).toEqual([422, "PLUGIN_INVALID"]);
  await calls.call("POST", `${keys}/${short.keyId}/revoke`);
  expect((await calls.get("alpha")).body.data).toMatchObject({ enabled: false, state: "quarantined" });
});
