import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/core/database.ts";
import type { Candidate, Trial } from "#api/core/plugins.ts";
import { findStored } from "./host-store.ts";
import { migratePlugin } from "./migrate-plugin.ts";
import type { PluginInstance } from "./plugin-instance.ts";
import type { PluginLogs } from "./plugin-logs.ts";
import { StartFailure } from "./start-failure.ts";
import type { PluginStarter } from "./start-plugin.ts";

export type TryPluginParts = {
  db: Database;
  logs: PluginLogs;
  starter: PluginStarter;
  turn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives a started version to whoever looks after the plugin; `null` where nobody does. */
  offer: ((name: string, instance: PluginInstance) => void) | null;
};

/**
 * Starts a version beside the one in force, and brings stored data to it. Whether it may run has been decided by whoever
 * asks; the signature is verified here all the same. Throws `PLUGIN_START_FAILED` with the reason.
 */
export const tryPlugin = async (candidate: Candidate, parts: TryPluginParts): Promise<Trial> => {
  const { name, version, sha256, objectKey, storedAt = null, granted, migrateFrom } = candidate;
  const place = { name, version, sha256, objectKey, storedAt };
  try {
    const order = {
      place,
      granted,
      ...(await findStored(parts.db, name)),
      consentedSha256: sha256,
      publisherKeyId: null,
      isMigrated: true,
    };
    const instance = await parts.turn(() => parts.starter.start(order));
    if (migrateFrom !== null) await migratePlugin(instance, migrateFrom);
    parts.logs.note(name, "info", `Version ${version} was tried`);
    return {
      keep: () => {
        if (parts.offer === null) void instance.end("update");
        else parts.offer(name, instance);
      },
      discard: () => instance.end("update"),
    };
  } catch (cause) {
    if (!(cause instanceof StartFailure)) throw cause;
    parts.logs.note(name, "error", `Version ${version} could not start: ${cause.message}`);
    throw new AppError("PLUGIN_START_FAILED", cause.message, { cause });
  }
};
