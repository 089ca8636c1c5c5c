import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { pluginKeys, plugins, users } from "#api/db/schema.ts";
import { contentHash } from "#api/plugin-host/package/content-hash.ts";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { bundledPlugin } from "#api/testing/bundled-plugin.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { altered, publisher, stranger } from "#api/testing/signed-packages.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import type { PluginVersion } from "#contract/plugins.ts";
import { syncBundled } from "./packages.ts";
import { saveOwnSettings } from "./settings.ts";

const shippedPackage = { name: "shipped", version: "2.0.0", manifest: { title: "Shipped" } };
const formerTwin = { ...shippedPackage, manifest: { title: "Shipped before, as 2.0.0" } };
const formerPackage = { name: "shipped", version: "1.0.0", manifest: { title: "Shipped before" } };

let host: TestHost;
let calls: ReturnType<typeof pluginCalls>;
let newRows: () => Promise<LoggedActivity[]>;
beforeAll(async () => {
  const contentOf = async (pack: Parameters<typeof packPlugin>[0]) => contentHash(await packPlugin(pack));
  const released = await Promise.all([formerPackage, formerTwin].map(contentOf));
  host = await createTestHost({
    plugins: {
      bundled: [
        await bundledPlugin(shippedPackage, { released }),
        await bundledPlugin({ name: "heart" }, { isCore: true, isEnabledAtFirst: true }),
      ],
    },
  });
  calls = pluginCalls(await host.signedIn("admin"));
  newRows = createActivityReader(host.services);
  await syncBundled(host.services);
  await calls.call("POST", "/api/admin/plugin-keys", { publicKey: publisher.publicKey, label: "Ada" });
});
afterAll(() => host.close());
afterEach(async () => {
  host.plugins.failures.clear();
  await calls.remove("alpha");
  for (const { name } of await host.db.select().from(plugins))
    if (name.startsWith("alpha")) await host.db.delete(plugins).where(eq(plugins.name, name));
  for (const table of ["plugin_kv", "plugin_secrets"]) await host.db.execute(`delete from ${table}`);
  await host.db.delete(pluginKeys).where(eq(pluginKeys.label, "Late"));
  host.clock.advance(61_000);
  calls = pluginCalls(await host.signedIn("admin"));
  await newRows();
});

const fields = { greeting: { type: "string" }, apiKey: { type: "string", "x-secret": true } };
const alpha = (version: string, privateKey?: string, title = "Alpha") =>
  packPlugin({
    ...{ name: "alpha", version },
    manifest: {
      title,
      permissions: ["routes"],
      settings: { schema: { type: "object", properties: fields } },
    },
    ...(privateKey === undefined ? {} : { privateKey }),
  });
const rowOf = async (name = "alpha") => {
  const [row] = await host.db.select().from(plugins).where(eq(plugins.name, name));
  return row;
};
const settings = async () => (await calls.call("GET", "/api/plugins/alpha/settings")).body.data;
const replace = (version: string, body: Record<string, unknown> = {}) =>
  calls.call("POST", "/api/plugins/alpha/replace-publisher", { version, consent: true, ...body });
/** Ada's plugin, enabled, with settings, a secret, a value and a file. */
const lived = async (privateKey: string | undefined = publisher.privateKey) => {
  expect((await calls.upload(await alpha("1.0.0", privateKey))).status).toBe(201);
  expect((await calls.toggle("alpha", true, true)).status).toBe(200);
  const values = { greeting: "Good day", apiKey: "hush-hush" };
  expect((await calls.call("PUT", "/api/plugins/alpha/settings", { values })).status).toBe(200);
  await host.db.execute("insert into plugin_kv (plugin, key, value, version) values ('alpha', 'k', '1', 1)");
  await host.services.objects.put("plugin-files/alpha/note.txt", new Uint8Array([1]), {
    contentType: "text/plain",
  });
};
const nothing = { keys: 0, files: 0, fileBytes: 0, secrets: 0, settings: 0, usedBytes: 0 };
const dataOf = async () => (await calls.call("GET", "/api/plugins/alpha/data")).body.data;

describe("P5: a package of another publisher", () => {
  test.each([
    ["unsigned over signed", publisher.privateKey, undefined],
    ["signed over unsigned", undefined, publisher.privateKey],
    ["signed by another key", publisher.privateKey, "grace"],
  ])(
    "(%s) stays pending, enabled or not, and is not activated even with consent",
    async (_, former, next) => {
      const grace = generateKey();
      await calls.call("POST", "/api/admin/plugin-keys", { publicKey: grace.publicKey, label: "Grace" });
      const signer = next === "grace" ? grace.privateKey : next;
      const idOf = (key: string | undefined) => {
        if (key === undefined) return "unsigned";
        return key === publisher.privateKey ? publisher.keyId : grace.keyId;
      };
      const change = { from: idOf(former), to: idOf(signer) };
      await calls.upload(await alpha("1.0.0", former));
      for (const enabled of [false, true]) {
        if (enabled) expect((await calls.toggle("alpha", true, true)).status).toBe(200);
        const { status, body } = await calls.upload(await alpha(`1.${Number(enabled)}.1`, signer));
        expect([status, body.data]).toMatchObject([
          201,
          { version: "1.0.0", enabled, pendingVersion: `1.${Number(enabled)}.1`, error: null },
        ]);
        for (const consent of [undefined, true]) {
          const refused = await calls.activate("alpha", `1.${Number(enabled)}.1`, consent);
          expect([refused.status, refused.body.code, refused.body.data]).toEqual([
            ...[409, "PUBLISHER_CHANGED", change],
          ]);
        }
        expect((await calls.get("alpha")).body.data).toMatchObject({ publisherChanged: change });
      }
    },
  );

  test("with the number of the version in force is refused and leaves it alone", async () => {
    await lived();
    const before = await rowOf();
    const { status, body } = await calls.upload(await alpha("1.0.0"), "?allowDowngrade=true");
    expect([status, body.code]).toEqual([409, "PUBLISHER_CHANGED"]);
    expect(await rowOf()).toEqual(before);
  });

  test("activated by a replacement starts with nothing of the old one's, and all admins are notified", async () => {
    await lived();
    await calls.upload(await alpha("1.1.0", undefined, "Alpha two"));
    await newRows();
    const mailsBefore = host.mails.length;
    const { status, body } = await replace("1.1.0");
    expect([status, body.message]).toEqual([
      200,
      "Alpha disabled. Alpha two 1.1.0 installed, published by no publisher (unsigned). Alpha two enabled",
    ]);
    expect(body.data).toMatchObject({
      version: "1.1.0",
      enabled: true,
      tier: "unsigned",
      pendingVersion: null,
    });
    expect(await settings()).toMatchObject({ values: { apiKey: "" }, secrets: { apiKey: false } });
    expect(await dataOf()).toEqual({ ...nothing, quotaBytes: host.plugins.quotaBytes });
    expect((await rowOf())?.granted).toMatchObject([{ name: "routes" }]);
    const [critical] = (await newRows()).filter(({ severity }) => severity === "critical");
    expect(critical).toMatchObject({
      ...{ action: "Replaced a plugin's publisher", pluginName: "alpha", status: "success" },
      type: "plugin_updated",
    });
    expect(JSON.parse(critical?.changes ?? "")).toMatchObject({
      before: { version: "1.0.0", publisher: publisher.keyId },
      after: { version: "1.1.0", publisher: "unsigned" },
    });
    const told = host.mails
      .slice(mailsBefore)
      .filter(({ subject }) => subject === "A plugin has a new publisher");
    const admins = await host.db.select().from(users).where(eq(users.role, "admin"));
    expect(told.map(({ to }) => to).sort()).toEqual(admins.map(({ email }) => email).sort());
    expect(told[0]?.text).toContain("it was Ada, and is now no publisher (unsigned)");
  });

  test("leaves the old one's things to the old publisher, who gets them back", async () => {
    await lived();
    await calls.upload(await alpha("1.1.0"));
    expect((await replace("1.1.0")).status).toBe(200);
    const old = { name: "alpha", dataKey: "alpha" };
    await expect(saveOwnSettings(host.services, old, { greeting: "Late" })).rejects.toMatchObject({
      kind: "PLUGIN_NOT_FOUND",
    });
    await calls.call("PUT", "/api/plugins/alpha/settings", {
      values: { greeting: "Mine", apiKey: "theirs" },
    });
    expect((await replace("1.0.0")).status).toBe(200);
    expect(await settings()).toMatchObject({ values: { greeting: "Good day" }, secrets: { apiKey: true } });
    expect(await dataOf()).toMatchObject({ keys: 1, files: 1, secrets: 1 });
    expect((await replace("1.1.0")).status).toBe(200);
    expect(await settings()).toMatchObject({ values: { greeting: "Mine" }, secrets: { apiKey: true } });
    expect(await dataOf()).toMatchObject({ keys: 0, files: 0, secrets: 1 });
  });

  test("leaves the old one's things where an admin sees them, and can delete them for ever", async () => {
    const retained = async () => Object((await calls.get("alpha")).body.data).retained;
    const deleting = (whose: string) => calls.call("DELETE", `/api/plugins/alpha/retained/${whose}`);
    await lived();
    expect(await retained()).toEqual([]);
    await calls.upload(await alpha("1.1.0"));
    expect((await replace("1.1.0")).status).toBe(200);
    const { versions, retained: kept } = Object((await calls.get("alpha")).body.data);
    expect(kept).toMatchObject([
      { publisher: publisher.keyId, publisherName: "Ada", version: "1.0.0", data: { keys: 1, files: 1 } },
    ]);
    const back = {
      from: "unsigned",
      to: publisher.keyId,
      fromName: "no publisher (unsigned)",
      toName: "Ada",
    };
    const changes = versions.map((one: PluginVersion) => [one.version, one.publisherChanged]);
    expect(Object.fromEntries(changes)).toEqual({ "1.1.0": null, "1.0.0": back });
    await calls.call("PUT", "/api/plugins/alpha/settings", { values: { greeting: "Mine" } });
    const other = await deleting("unsigned");
    expect([other.status, other.body.message]).toEqual([
      404,
      `No data of this publisher is stored. There is data of: ${publisher.keyId}`,
    ]);
    await newRows();
    expect((await deleting(publisher.keyId)).status).toBe(200);
    expect(await newRows()).toMatchObject([
      { type: "plugin_removed", severity: "high", pluginName: "alpha", status: "success" },
    ]);
    expect(await retained()).toEqual([]);
    expect(await host.services.objects.list("plugin-files/alpha/")).toEqual([]);
    expect(await settings()).toMatchObject({ values: { greeting: "Mine" } });
    expect((await replace("1.0.0")).status).toBe(200);
    expect(await settings()).toMatchObject({ secrets: { apiKey: false } });
    expect(await dataOf()).toEqual({ ...nothing, quotaBytes: host.plugins.quotaBytes });
  });

  test("that cannot start is in place and disabled, and the old one can be put back", async () => {
    await lived();
    await calls.upload(await alpha("1.1.0"));
    host.plugins.failures.set("alpha@1.1.0", "It threw");
    const { status, body } = await replace("1.1.0");
    expect([status, body.code]).toEqual([409, "PLUGIN_START_FAILED"]);
    expect(await rowOf()).toMatchObject({ version: "1.1.0", isEnabled: false });
    expect((await replace("1.0.0")).status).toBe(200);
    expect(await settings()).toMatchObject({ values: { greeting: "Good day" } });
  });

  test("after a deletion that retained data starts empty with ordinary consent; the old publisher gets its data", async () => {
    await lived();
    await calls.remove("alpha", "?retainData=true");
    const foreign = await alpha("0.9.0");
    expect((await calls.inspect(foreign)).body.data).toMatchObject({
      ...{ publisherChanged: null, hasRetainedData: false, needsDowngrade: false },
    });
    expect((await calls.upload(foreign)).status).toBe(201);
    expect((await calls.toggle("alpha", true)).body.code).toBe("CONSENT_REQUIRED");
    expect((await calls.toggle("alpha", true, true)).status).toBe(200);
    expect(await settings()).toMatchObject({ secrets: { apiKey: false } });
    expect(await dataOf()).toEqual({ ...nothing, quotaBytes: host.plugins.quotaBytes });
    await calls.remove("alpha");
    const own = await alpha("1.0.0", publisher.privateKey);
    expect((await calls.inspect(own)).body.data).toMatchObject({ hasRetainedData: true });
    expect((await calls.upload(own)).status).toBe(201);
    expect(await settings()).toMatchObject({ values: { greeting: "Good day" }, secrets: { apiKey: true } });
    expect(await dataOf()).toMatchObject({ keys: 1, files: 1 });
    expect((await calls.toggle("alpha", true)).status).toBe(200);
    await calls.remove("alpha", "?retainData=true");
    expect((await calls.call("DELETE", `/api/plugins/alpha/retained/${publisher.keyId}`)).status).toBe(200);
    expect((await calls.inspect(own)).body.data).toMatchObject({ hasRetainedData: false });
  });

  test("placed by a version before this one is not enabled with the former publisher's data", async () => {
    await calls.upload(await alpha("1.0.0"));
    await host.db.update(plugins).set({ publisherKeyId: publisher.keyId }).where(eq(plugins.name, "alpha"));
    const { status, body } = await calls.toggle("alpha", true, true);
    expect([status, body.code]).toEqual([409, "PUBLISHER_CHANGED"]);
    expect((await replace("1.0.0")).status).toBe(200);
    expect((await calls.toggle("alpha", true)).status).toBe(200);
  });
});

test("P5: another publisher's waiting version is shown with all that it would be granted, also what the old one has", async () => {
  const shown = async () => Object((await calls.get("alpha")).body.data);
  await lived();
  await calls.upload(await alpha("1.1.0"));
  const { pendingPermissions, versions } = await shown();
  expect(pendingPermissions).toEqual([{ name: "routes" }]);
  for (const { permissions } of versions) expect(permissions).toEqual([{ name: "routes" }]);
  expect(versions).toHaveLength(2);
  expect((await replace("1.1.0")).status).toBe(200);
  await calls.upload(await alpha("1.2.0", publisher.privateKey));
  // Ada's grants were kept for her.
  const again = await shown();
  expect([again.pendingVersion, again.pendingPermissions]).toEqual(["1.2.0", []]);
});

describe("replacing the publisher", () => {
  const refusedAndUnchanged = async (work: () => Promise<[number, unknown]>, refusal: [number, string]) => {
    await lived();
    await calls.upload(await alpha("1.1.0"));
    const stored = async () =>
      (await contentsOf(host.db)).filter((row) => /^(plugin|storedObject)/.test(row));
    const before = await stored();
    expect(await work()).toEqual(refusal);
    expect(await stored()).toEqual(before);
  };

  test("is nothing for API tokens, even those that may do everything", async () => {
    const token = await newTokenClient(host, { scopes: ["*"] });
    await refusedAndUnchanged(async () => {
      const body = { version: "1.1.0", consent: true };
      const answer = await token.call("POST", "/api/plugins/alpha/replace-publisher", body);
      return [answer.status, (await answer.json()).code];
    }, [403, "SESSION_REQUIRED"]);
  });

  test("asks a session older than ten minutes for the password", async () => {
    await refusedAndUnchanged(async () => {
      host.clock.advance(11 * 60_000);
      await calls.list();
      const { status, body } = await replace("1.1.0");
      return [status, body.code];
    }, [403, "REAUTHENTICATION_REQUIRED"]);
  });

  test("is only for the package that was shown", async () => {
    const shown = "ab".repeat(32);
    await refusedAndUnchanged(async () => {
      const { status, body } = await replace("1.1.0", { sha256: shown });
      expect(body.data).toMatchObject({ version: "1.1.0", permissions: [{ name: "routes" }] });
      expect(body.data).not.toMatchObject({ sha256: shown });
      return [status, body.code];
    }, [409, "CONSENT_REQUIRED"]);
    const sha256 = new Bun.CryptoHasher("sha256").update(await alpha("1.1.0")).digest("hex");
    expect((await replace("1.1.0", { sha256 })).status).toBe(200);
  });

  test("wants consent, a version that is kept, and one of another publisher", async () => {
    await lived();
    await calls.upload(await alpha("1.0.1", publisher.privateKey));
    expect((await replace("1.0.1", { consent: false })).status).toBe(422);
    expect((await replace("9.9.9")).status).toBe(404);
    const same = await replace("1.0.0");
    expect([same.status, same.body.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("the name of a plugin of Atrium", () => {
  const edited = { name: "shipped", version: "3.0.0", manifest: { title: "Edited" } };

  test.each([
    ["a newer edited copy", () => packPlugin(edited)],
    ["an edited copy of the same version", () => packPlugin({ ...edited, version: "2.0.0" })],
    ["a signed one", () => packPlugin({ ...edited, privateKey: publisher.privateKey })],
    [
      "one with a broken signature",
      async () =>
        altered(await packPlugin({ ...edited, privateKey: publisher.privateKey }), {
          "backend/index.js": "1",
        }),
    ],
    [
      "one for another Atrium",
      () => packPlugin({ ...edited, manifest: { engines: { atrium: ">=99.0.0" } } }),
    ],
    ["one of a core plugin", () => packPlugin({ name: "heart", version: "9.0.0" })],
  ])("is not for %s", async (_, pack) => {
    const zip = await pack();
    const before = withoutLog(await contentsOf(host.db));
    for (const answer of [await calls.upload(zip), await calls.inspect(zip)]) {
      expect([answer.status, answer.body.code]).toEqual([422, "PLUGIN_INVALID"]);
      expect(answer.body.errors).toMatchObject([{ path: "name" }]);
    }
    expect(withoutLog(await contentsOf(host.db))).toEqual(before);
  });

  test("is for the content of this release and of earlier ones", async () => {
    const { body } = await calls.upload(await packPlugin(formerPackage), "?allowDowngrade=true");
    expect(body.data).toMatchObject({ version: "1.0.0", tier: "bundled", signature: { state: "bundled" } });
    expect((await calls.upload(await packPlugin(shippedPackage))).body.data).toMatchObject({
      version: "2.0.0",
    });
  });

  test(
    "covers the content of an earlier release only when a signed-in user goes back to it, never an API " +
      "token",
    async () => {
      const token = pluginCalls(await newTokenClient(host, { scopes: ["*"] }));
      const sameNumber = await packPlugin(formerTwin);
      const stored = async () =>
        (await contentsOf(host.db)).filter((row) => /^(plugin|storedObject)/.test(row));
      const before = await stored();
      for (const zip of [await packPlugin(formerPackage), sameNumber]) {
        const answer = await token.upload(zip, "?allowDowngrade=true");
        expect([answer.status, answer.body.code]).toEqual([403, "SESSION_REQUIRED"]);
      }
      const refused = await calls.upload(sameNumber);
      expect([refused.status, refused.body.code]).toEqual([409, "PLUGIN_EXISTS"]);
      expect((await calls.inspect(sameNumber)).body.data).toMatchObject({ needsDowngrade: true });
      expect(await stored()).toEqual(before);
      // Nor where nothing is installed, or what a person has left there.
      await calls.upload(await packPlugin(formerPackage), "?allowDowngrade=true");
      await calls.upload(await packPlugin(shippedPackage));
      const back = await token.activate("shipped", "1.0.0");
      expect([back.status, back.body.code]).toEqual([403, "SESSION_REQUIRED"]);
      expect((await token.remove("shipped")).status).toBe(200);
      expect((await token.upload(await packPlugin(formerPackage))).status).toBe(403);
      expect((await token.upload(await packPlugin(shippedPackage))).status).toBe(201);
    },
  );

  test("stays with an edited copy from before, which runs on as unsigned and is not updated", async () => {
    const former = await createTestHost();
    const before = pluginCalls(await former.signedIn("admin"));
    await before.upload(await packPlugin({ ...edited, version: "1.0.0" }));
    await before.toggle("shipped", true, true);
    await syncBundled({ ...former.services, plugins: host.plugins });
    expect((await before.get("shipped")).body.data).toMatchObject({
      ...{ version: "1.0.0", title: "Edited", enabled: true, tier: "unsigned" },
      signature: { state: "unsigned" },
    });
    await former.close();
  });
});

describe("P5: consent", () => {
  test("is asked for again by new code of an unsigned plugin, whatever it asks for", async () => {
    await calls.upload(await alpha("1.0.0"));
    await calls.toggle("alpha", true, true);
    const { body } = await calls.upload(await alpha("1.0.1", undefined, "Alpha"));
    expect(body.data).toMatchObject({ version: "1.0.0", pendingVersion: "1.0.1" });
    expect((await calls.activate("alpha", "1.0.1")).body.code).toBe("CONSENT_REQUIRED");
    expect((await calls.activate("alpha", "1.0.1", true)).body.data).toMatchObject({ version: "1.0.1" });
  });

  test("is not asked for again by a signed plugin of the same publisher", async () => {
    await lived();
    const { body } = await calls.upload(await alpha("1.0.1", publisher.privateKey));
    expect(body.data).toMatchObject({ version: "1.0.1", pendingVersion: null });
  });

  test("is nothing for API tokens, which may do without", async () => {
    const token = pluginCalls(await newTokenClient(host, { scopes: ["*"] }));
    await calls.upload(await alpha("1.0.0", publisher.privateKey));
    for (const refused of [
      await token.toggle("alpha", true, true),
      await token.activate("alpha", "1.0.0", true),
    ])
      expect([refused.status, refused.body.code]).toEqual([403, "SESSION_REQUIRED"]);
    expect(await rowOf()).toMatchObject({ isEnabled: false, granted: [] });
    await calls.toggle("alpha", true, true);
    await calls.toggle("alpha", false);
    expect((await token.toggle("alpha", true)).status).toBe(200);
  });
});

test("a key that is trusted later is no consent: new bytes still need it", async () => {
  await calls.upload(await alpha("1.0.0"));
  expect((await calls.toggle("alpha", true, true)).status).toBe(200);
  await calls.toggle("alpha", false);
  await calls.upload(await alpha("1.1.0", stranger.privateKey));
  await calls.call("POST", "/api/admin/plugin-keys", { publicKey: stranger.publicKey, label: "Late" });
  expect((await calls.toggle("alpha", true)).body.code).toBe("CONSENT_REQUIRED");
  const token = pluginCalls(await newTokenClient(host, { scopes: ["*"] }));
  expect((await token.toggle("alpha", true)).body.code).toBe("CONSENT_REQUIRED");
});

test("a plugin whose publisher's key is trusted later is that publisher's from then on, with its data", async () => {
  await lived(stranger.privateKey);
  await calls.call("POST", "/api/admin/plugin-keys", { publicKey: stranger.publicKey, label: "Late" });
  const { body } = await calls.upload(await alpha("1.1.0", stranger.privateKey));
  expect(body.data).toMatchObject({ version: "1.1.0", signature: { publisher: "Late" } });
  expect(await settings()).toMatchObject({ values: { greeting: "Good day" } });
});
