import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { createMemoryEventBus } from "#api/adapters/event-bus/postgres-event-bus.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { plugins, pluginVersions } from "#api/db/schema.ts";
import {
  createPluginHost,
  type PluginHost,
  type PluginHostOptions,
} from "#api/plugin-host/life-cycle/plugin-host.ts";
import { createPluginLogs } from "#api/plugin-host/life-cycle/plugin-reports.ts";
import { readPackage } from "#api/plugin-host/package/read-package.ts";
import type { LivePlugin, PluginDoor } from "#api/plugin-host/runtime.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { testContext } from "./context.ts";
import { createFakeRuntimes, type FakeRuntimes } from "./fake-runtime.ts";
import { packPlugin, type TestPackage } from "./plugin-package.ts";
import { createRecordingLog } from "./recording-log.ts";

/** What was opened last by a plugin's name; `null` while it is suspended, absent while it is off. */
type RecordingDoor = PluginDoor & { opened: Map<string, LivePlugin | null> };

/** A server's plugin host, with fake runtimes unless told otherwise. */
export type HostedWorld = {
  host: PluginHost;
  door: RecordingDoor;
  runtimes: FakeRuntimes;
  logs: ReturnType<typeof createPluginLogs>;
  folder: string;
};

type InstallOptions = TestPackage & {
  isEnabled?: boolean;
  permissions?: { name: string }[];
  /** Without an agreement to unsigned bytes. */
  isAgreedTo?: boolean;
  columns?: Partial<typeof plugins.$inferInsert>;
};

/** Plugins as they are stored in `db`, and servers that look after them. Close it after the test. */
export const createPluginWorld = (db: Database) => {
  const events = createMemoryEventBus(createRecordingLog());
  const ctx = { ...testContext({ db }), events };
  const endings: (() => unknown)[] = [];

  const nextGeneration = sql`(select coalesce(max(generation), 0) + 1 from plugins)`;

  const tell = async (name: string): Promise<void> => {
    const [row] = await db
      .select({ generation: plugins.generation })
      .from(plugins)
      .where(eq(plugins.name, name));
    events.publish({ type: "plugins-changed", generation: row?.generation ?? 0 });
  };

  /** Stores a version without putting it in force. */
  const storeVersion = async (packed: TestPackage): Promise<{ sha256: string; objectKey: string }> => {
    const bytes = await packPlugin(packed);
    const trust = { keys: [], allowUnsigned: true, allowNative: true, now: ctx.clock.now() };
    const read = await readPackage(bytes, {
      trust: { ...trust, bundled: new Map(), pinnedKeyId: null },
    });
    const { name, version } = read.manifest;
    const objectKey = `packages/${name}/${version}-${newId()}.zip`;
    await ctx.objects.put(objectKey, bytes, { contentType: "application/zip" });
    await db.insert(pluginVersions).values({
      ...{ plugin: name, version, sha256: read.sha256, sizeBytes: bytes.length, objectKey },
      ...{ manifest: JSON.stringify(read.manifest), signature: read.signature, uploadedAt: ctx.clock.now() },
    });
    return { sha256: read.sha256, objectKey };
  };

  /** Changes what is wanted of a plugin, and tells everyone. */
  const want = async (name: string, change: Partial<typeof plugins.$inferInsert>): Promise<void> => {
    await db
      .update(plugins)
      .set({ ...change, generation: nextGeneration })
      .where(eq(plugins.name, name));
    await tell(name);
  };

  const install = async ({
    isEnabled = true,
    permissions = [],
    isAgreedTo = true,
    columns = {},
    ...packed
  }: InstallOptions = {}) => {
    const { name = "visitor-notes", version = "1.0.0" } = packed;
    const stored = await storeVersion({ ...packed, manifest: { permissions, ...packed.manifest } });
    const now = ctx.clock.now();
    await db.insert(plugins).values({
      ...{ name, version, isEnabled, generation: 0, migratedVersion: version, installedAt: now },
      granted: permissions.map((permission) => permission as never),
      consentedSha256: isAgreedTo ? stored.sha256 : null,
      updatedAt: now,
      ...columns,
    });
    await want(name, {});
    return stored;
  };

  const createHost = (
    options: Partial<PluginHostOptions> & { pinnedKeys?: TrustedKey[]; bundled?: BundledPlugin[] } = {},
  ): HostedWorld => {
    const folder = mkdtempSync(join(tmpdir(), "atrium-plugins-"));
    const runtimes = createFakeRuntimes();
    const replica = newId();
    const logs = createPluginLogs({ clock: ctx.clock, replica });
    const opened: RecordingDoor["opened"] = new Map();
    const door: RecordingDoor = {
      opened,
      open: (live) => void opened.set(live.manifest.name, live),
      suspend: (name) => void opened.set(name, null),
      close: (name) => void opened.delete(name),
    };
    const host = createPluginHost({
      ...ctx,
      ...{ folder, replica, logs, pinnedKeys: [], allowUnsigned: true, allowNative: true },
      quotaBytes: 100_000_000,
      ...{ isSafeMode: false, isShared: false, bundled: [], doors: [door] },
      runtimes: { sandbox: runtimes.start, native: runtimes.start },
      hostCalls: () => async () => undefined,
      onRead: async () => {},
      alongside: async () => {},
      tickMs: 20,
      ...options,
    });
    endings.push(async () => {
      await host.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    return { host, door, runtimes, logs, folder };
  };

  return {
    ctx,
    db,
    clock: ctx.clock,
    events,
    install,
    storeVersion,
    want,
    tell,
    createHost,
    /** What is stored of a plugin. */
    row: async (name = "visitor-notes") => {
      const [row] = await db.select().from(plugins).where(eq(plugins.name, name));
      if (row === undefined) throw new Error(`${name} is not stored`);
      return row;
    },
    remove: async (name: string) => {
      await db.delete(plugins).where(eq(plugins.name, name));
      events.publish({ type: "plugins-changed", generation: 0 });
    },
    close: async () => {
      for (const end of endings.splice(0)) await end();
    },
  };
};
