import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { plugins, pluginVersions, storedObjectParts, storedObjects } from "#api/db/schema.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { until } from "#api/testing/until.ts";
import { signedInPeople } from "../driver/people.ts";
import { asAdmin, type PluginCaller } from "../driver/plugin-caller.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { brokenPlugins, packBroken } from "../fixtures/plugins/broken-plugins.ts";
import { packNotes } from "../fixtures/plugins/notes-plugin.ts";

setDefaultTimeout(120_000);

const readyMs = 10_000;
/** Damaged in the cache and in the store, and in the cache alone. */
const damaged = "damaged-notes";
const mended = "mended-notes";
const hostile = brokenPlugins.filter(({ reason }) => reason !== null);
const all = [...brokenPlugins.map(({ name }) => name), damaged, mended];

let server: ServerProcess;
let admin: PluginCaller;
let cookie: string;
let dataDir: string;

const start = async (options: string[] = []): Promise<void> => {
  server = await startServer({ dataDir, options });
  admin = asAdmin(server.url, cookie);
};

/** As someone would who may write to the database, past every check of enabling. */
const enableAll = async (db: Database): Promise<void> => {
  const versions = await db.select().from(pluginVersions).where(inArray(pluginVersions.plugin, all));
  for (const { plugin, sha256, manifest } of versions)
    await db
      .update(plugins)
      .set({ isEnabled: true, granted: JSON.parse(manifest).permissions, consentedSha256: sha256 })
      .where(eq(plugins.name, plugin));
  await spoil(db, versions.find(({ plugin }) => plugin === damaged)?.objectKey ?? "");
};

/** Has an object consist of other bytes, told of as if they had been stored so. */
const spoil = async (db: Database, key: string): Promise<void> => {
  const content = Buffer.from(await packNotes(damaged, "6.6.6"));
  const digest = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  const [object] = await db
    .update(storedObjects)
    .set({ digest, sizeBytes: content.length })
    .where(eq(storedObjects.key, key))
    .returning();
  await db
    .update(storedObjectParts)
    .set({ content })
    .where(eq(storedObjectParts.version, object?.version ?? ""));
};

const spoilCache = (name: string): void => {
  const folder = join(dataDir, "plugins", name);
  for (const file of new Bun.Glob("**/*").scanSync({ cwd: folder }))
    writeFileSync(join(folder, file), "spoilt");
};

const listed = async (): Promise<Map<string, Record<string, unknown>>> => {
  const { body } = await admin.ask("GET", "/api/plugins");
  const rows: Record<string, unknown>[] = Array.isArray(body.data) ? body.data : [];
  // The plugins that ship with the product are there too, and whole.
  return new Map(rows.map((row) => [String(row.name), row] as const).filter(([name]) => all.includes(name)));
};
const stateOf = async (name: string): Promise<unknown> => (await listed()).get(name)?.state;

/** The admin area, page by page and call by call. */
const expectAdminArea = async (): Promise<void> => {
  const calls = ["/api/plugins", "/api/system/status", "/api/admin/users", "/api/admin/activity"];
  const pages = ["/admin", "/admin/plugins", "/admin/users"];
  for (const path of [...calls, ...all.map((name) => `/api/plugins/${name}`), "/api/auth/user"])
    expect({ path, status: (await admin.ask("GET", path)).status }).toEqual({ path, status: 200 });
  for (const path of pages) {
    const page = await fetch(`${server.url}${path}`, { headers: { cookie } });
    expect({ path, status: page.status }).toEqual({ path, status: 200 });
    expect(await page.text()).toContain("</html>");
  }
};

const activitiesOf = async (type: string): Promise<Record<string, unknown>[]> => {
  const { body } = await admin.ask("GET", `/api/admin/activity?type=${type}&limit=100`);
  const { data } = body;
  const rows = Array.isArray(data) ? data : Object(data).activities;
  return Array.isArray(rows) ? rows : [];
};

beforeAll(async () => {
  server = await startServer();
  dataDir = server.dataDir;
  cookie = (await signedInPeople(server)).admin;
  admin = asAdmin(server.url, cookie);
  const packages = [
    ...brokenPlugins.map(packBroken),
    packNotes(damaged, "1.0.0"),
    packNotes(mended, "1.0.0"),
  ];
  for (const zip of await Promise.all(packages)) expect((await admin.upload(zip)).status).toBe(201);
  // So that there is a cache to be damaged.
  expect((await admin.toggle(mended, true)).status).toBe(200);
  await server.stop();
  await readRows({ dataDir, env: {} }, enableAll);
  spoilCache(mended);
});
afterAll(async () => {
  await server.stop();
  removeFolder(dataDir);
});

describe("P6: with every plugin broken and enabled past all checks", () => {
  const step = inOrder();

  step("a server in safe mode is ready within ten seconds, runs none, and its admin area works", async () => {
    await start(["--safe-mode"]);
    expect(server.startMs).toBeLessThan(readyMs);
    await expectAdminArea();
    for (const [name, { enabled, state }] of await listed())
      expect({ name, enabled, state }).toEqual({ name, enabled: true, state: "disabled" });
    expect((await fetch(`${server.url}/api/rejects`)).status).toBe(404);
    await server.stop();
  });

  step("a server is ready within ten seconds, and its admin area works while they fail", async () => {
    spoilCache(mended);
    await start();
    expect(server.startMs).toBeLessThan(readyMs);
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(200);
    await expectAdminArea();
  });

  step("each that fails is quarantined, with the reason for admins and in the activity log", async () => {
    for (const { name } of hostile) await until(async () => (await stateOf(name)) === "quarantined", 60_000);
    const rows = await listed();
    const recorded = await activitiesOf("plugin_failed");
    for (const { name, reason } of hostile) {
      const { error, enabled } = rows.get(name) ?? {};
      expect({ name, enabled }).toEqual({ name, enabled: true });
      expect(error).toMatch(reason ?? "");
      expect(error).toMatch(/It restarts in \d+ minutes?$/);
      const own = recorded.filter(({ pluginName }) => pluginName === name);
      expect({ name, severities: [...new Set(own.map(({ severity }) => severity))].sort() }).toEqual({
        name,
        severities: ["critical", "high"],
      });
      expect((await fetch(`${server.url}/api/${name}`)).status).toBe(503);
    }
    await expectAdminArea();
  });

  step(
    "P5: a package that was changed in the cache and in the store never runs, and that is critical",
    async () => {
      await until(async () => (await stateOf(damaged)) === "quarantined");
      const recorded = (await activitiesOf("signature_failed")).filter(
        ({ pluginName }) => pluginName === damaged,
      );
      expect(recorded).toMatchObject([{ severity: "critical", status: "failure" }]);
      expect((await fetch(`${server.url}/api/${damaged}/state`)).status).toBe(404);
    },
  );

  step(
    "those that can be contained run on, and so does one of which only the cache was damaged",
    async () => {
      for (const { name } of brokenPlugins.filter(({ reason }) => reason === null)) {
        await until(async () => (await stateOf(name)) === "running");
        const answer = await fetch(`${server.url}/api/${name}`);
        expect({ name, status: answer.status, body: await answer.json() }).toEqual({
          name,
          status: 200,
          body: "well",
        });
      }
      await until(async () => (await stateOf(mended)) === "running");
      expect(await (await fetch(`${server.url}/api/${mended}/state`)).json()).toMatchObject({
        version: "1.0.0",
      });
    },
  );

  step("one can be deleted, and enabled again before its time it fails with its reason", async () => {
    const [first, second] = hostile.map(({ name }) => name);
    expect((await admin.remove(first ?? "")).status).toBe(200);
    const { status, body } = await admin.toggle(second ?? "", true);
    expect({ status, code: body.code }).toEqual({ status: 409, code: "PLUGIN_START_FAILED" });
    expect((await listed()).get(second ?? "")?.state).not.toBe("running");
  });
});
