import { eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { within } from "#api/core/within.ts";
import { lockName } from "#api/db/lock-name.ts";
import { plugins } from "#api/db/schema.ts";
import type { PluginInstance } from "./plugin-instance.ts";
import { StartFailure } from "./start-failure.ts";

// A little more than runtimes allow.
const migrateMs = 65_000;
// Longer than another server may take for it.
const waitS = 70;

/** Has a version bring the data of another one to what it needs. When it cannot, it is ended and a {@link StartFailure} thrown. */
export const migratePlugin = async (instance: PluginInstance, from: string): Promise<void> => {
  const { runtime, version } = instance.live;
  if (from === version || !runtime.registration.hasMigrate) return;
  try {
    await within(migrateMs, runtime.migrate(from));
  } catch (cause) {
    await instance.end("update");
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartFailure("broken", `Its data could not be brought to this version: ${reason}`, { cause });
  }
};

/** Brings stored data to the version that starts, if no server has done so yet. */
export type MigrateOnce = (instance: PluginInstance) => Promise<void>;

/** `isShared`: several servers may use the database, so that one has to wait while another migrates. */
export const createMigrateOnce =
  ({ db, isShared }: { db: Database; isShared: boolean }): MigrateOnce =>
  async (instance) => {
    const { version, manifest } = instance.live;
    const migrate = async (own: Database): Promise<void> => {
      const [row] = await own
        .select({ from: plugins.migratedVersion })
        .from(plugins)
        .where(eq(plugins.name, manifest.name));
      if (row === undefined || row.from === version) return;
      if (row.from !== null) await migratePlugin(instance, row.from);
      await own.update(plugins).set({ migratedVersion: version }).where(eq(plugins.name, manifest.name));
    };
    // The one session of an embedded database cannot wait: what the plugin stores meanwhile needs it.
    if (!isShared) return migrate(db);
    await db.transaction(async (tx) => {
      await lockName(tx, `data of the plugin ${manifest.name}`, waitS);
      await migrate(tx);
    });
  };
