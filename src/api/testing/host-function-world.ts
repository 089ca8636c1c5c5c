import {
  createHostFunctions,
  type HostFunctionOptions,
} from "#api/plugin-host/host-functions/create-host-functions.ts";
import type { HostedPlugin } from "#api/plugin-host/host-functions/host-function.ts";
import type { HostOp } from "#api/plugin-host/runtime.ts";
import { readManifest } from "#contract/plugin-manifest.ts";
import type { Permission } from "#contract/plugins.ts";
import type { GuardRule, Json } from "#plugins/sdk/types.ts";
import { type TestContext, testContext } from "./context.ts";
import { openTestDatabase } from "./database.ts";

/** A plugin that makes host calls: what it was told, and whether it was reported. */
export type CallingPlugin = {
  hosted: HostedPlugin;
  call(op: HostOp, ...args: Json[]): Promise<Json | undefined>;
  /** The same while one of its routes is called. */
  callWithin(op: HostOp, ...args: Json[]): Promise<Json | undefined>;
  lines: string[];
  violations: string[];
};

/** How much each plugin may keep there. */
export const quotaBytes = 2_000_000;

/** Host functions over a database of their own; settings, rules and other plugins are kept in memory. */
export type HostFunctionWorld = {
  ctx: TestContext;
  plugin(name: string, granted: Permission[], manifest?: Record<string, Json>): CallingPlugin;
  saved: { plugin: string; patch: Record<string, unknown> }[];
  secrets: Map<string, string>;
  rules: Map<string, GuardRule[]>;
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** Opens a world; `network` replaces the way out of it. Close it after the tests. */
export const createHostFunctionWorld = async (
  network: HostFunctionOptions["network"] = {},
): Promise<HostFunctionWorld> => {
  const { db, close } = await openTestDatabase();
  const ctx = testContext({ db });
  const saved: HostFunctionWorld["saved"] = [];
  const secrets = new Map<string, string>();
  const rules = new Map<string, GuardRule[]>();
  const functions = createHostFunctions({
    services: ctx,
    network,
    quotaBytes,
    settings: {
      save: async (plugin, patch) => void saved.push({ plugin: plugin.name, patch }),
      readSecret: async (dataKey, field) => secrets.get(`${dataKey}/${field}`) ?? null,
    },
    guard: {
      check: (value) => (Array.isArray(value) ? { rules: [] } : { problem: "rules have to be a list" }),
      save: async (plugin, next) => void rules.set(plugin, next),
      stats: () => [{ rule: 0, hits: 3 }],
    },
    callPlugin: async (caller, name, call) => ({ status: 200, json: [caller, name, call.method, call.path] }),
  });
  return {
    ctx,
    saved,
    secrets,
    rules,
    flush: functions.flush,
    close,
    plugin: (name, granted, manifest = {}) => {
      const read = readManifest({
        manifestVersion: 1,
        name,
        version: "1.0.0",
        title: "Test plugin",
        ...manifest,
      });
      if ("problems" in read) throw new Error(JSON.stringify(read.problems));
      const lines: string[] = [];
      const violations: string[] = [];
      const hosted: HostedPlugin = {
        ...{ name, dataKey: name },
        version: "1.0.0",
        manifest: read.manifest,
        granted,
        log: (_level, message) => void lines.push(message),
        violated: (reason) => void violations.push(reason),
      };
      const serve = functions.serve(hosted);
      return {
        ...{ hosted, lines, violations },
        call: (op, ...args) => serve(op, args),
        callWithin: (op, ...args) => serve(op, args, true),
      };
    },
  };
};
