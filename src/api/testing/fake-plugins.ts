import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/core/database.ts";
import type { BundledPlugin, ObservedPlugin, PluginService } from "#api/core/plugins.ts";
import { plugins } from "#api/db/schema.ts";
import { compilePattern } from "#api/plugin-host/package/compile-pattern.ts";
import { readKey } from "#api/plugin-host/package/keys.ts";
import { createBundledContents } from "#api/plugin-host/package/package-source.ts";
import { readUpload } from "#api/plugin-host/package/read-package.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import type { TestClock } from "./clock.ts";

/** What a test decides about the plugins of its server. */
export type FakePluginsOptions = {
  bundled?: readonly BundledPlugin[];
  pinnedKeys?: TrustedKey[];
  allowUnsigned?: boolean;
  allowNative?: boolean;
  isSafeMode?: boolean;
};

/** Plugins that are read and verified for real, and run in name only. */
export type FakePlugins = PluginService & {
  /** Why versions cannot start, by `name@version`; others start. */
  failures: Map<string, string>;
  /** The versions that were tried, and what became of each. */
  tried: { name: string; version: string; migrateFrom: string | null; outcome: string }[];
};

/** Makes them over a database. */
export const createFakePlugins = (
  { db, clock }: { db: Database; clock: Pick<TestClock, "now"> },
  options: FakePluginsOptions = {},
): FakePlugins => {
  const { bundled = [], pinnedKeys = [], isSafeMode = false } = options;
  const { allowUnsigned = true, allowNative = false } = options;
  const contents = createBundledContents(bundled);
  const running = new Map<string, string>();
  const failed = new Map<string, string>();
  const failures: FakePlugins["failures"] = new Map();
  const tried: FakePlugins["tried"] = [];
  const stateOf = (name: string) => {
    if (failed.has(name)) return "failed";
    return running.has(name) ? "running" : "disabled";
  };
  return {
    ...{ bundled, pinnedKeys, allowUnsigned, allowNative, isSafeMode, failures, tried, compilePattern },
    quotaBytes: 100_000_000,
    replica: "test",
    read: async (bytes, { keys, storedAt = null }) =>
      readUpload(bytes, {
        ...{ keys, allowUnsigned, allowNative, now: clock.now(), storedAt, pinnedKeyId: null },
        bundled: await contents(),
      }),
    readKey,
    try: async ({ name, version, migrateFrom }) => {
      const reason = failures.get(`${name}@${version}`);
      if (reason !== undefined) throw new AppError("PLUGIN_START_FAILED", reason);
      const trial = { name, version, migrateFrom, outcome: "started" };
      tried.push(trial);
      return {
        keep: () => {
          trial.outcome = "kept";
        },
        discard: async () => {
          trial.outcome = "discarded";
        },
      };
    },
    converge: async () => {
      running.clear();
      failed.clear();
      for (const row of await db.select().from(plugins)) {
        if (!row.isEnabled || row.removedAt !== null || isSafeMode) continue;
        const reason = failures.get(`${row.name}@${row.version}`);
        if (reason === undefined) running.set(row.name, row.version);
        else failed.set(row.name, reason);
      }
    },
    observe: (name): ObservedPlugin => ({
      ...{ name, replica: "test", isolation: null, memoryBytes: null, startedAt: null },
      state: stateOf(name),
      error: failed.get(name) ?? null,
      version: running.get(name) ?? "",
      ...{ adminPanel: null, routes: [], jobs: [] },
    }),
    states: () => [...running.keys(), ...failed.keys()].map((name) => ({ name, state: stateOf(name) })),
    logs: () => [],
    log: () => {},
    unavailable: () => new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: 1 }),
  };
};
