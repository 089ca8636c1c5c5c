import type { Clock } from "#api/core/clock.ts";
import { digestOf } from "#api/core/ids.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import { emailComplaint, emailKey } from "#contract/account-rules.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json, Method, PluginResponse, Principal } from "#plugins/sdk/types.ts";
import { checkRules } from "../../guard/check-rules.ts";
import {
  checkMailsAnyone,
  createActivityFunction,
  createCallFunction,
  createGuardFunctions,
  createSettingFunctions,
  type SettingsAccess,
} from "../../host-functions/core-functions.ts";
import { createFetchFunction } from "../../host-functions/fetch-function.ts";
import { createFileFunctions } from "../../host-functions/file-functions.ts";
import {
  fieldsArgument,
  type HostCall,
  type HostedPlugin,
  type HostFunction,
  howToGrant,
  invalid,
  lineArgument,
  numberArgument,
  PluginFault,
  textArgument,
} from "../../host-functions/host-function.ts";
import type { HostOp } from "../../runtime.ts";

/** What the kit's host needs from a test. */
export type KitOutside = {
  fetch(request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    text: string;
  }): Promise<PluginResponse>;
  callPlugin(name: string, call: { method: Method; path: string; body: Json }): Promise<PluginResponse>;
  /** Reports what the plugin did. */
  tell(what: "mail" | "activity" | "guardRules", data: Json): void;
};

/** A user that `ctx.users.get` finds; `email` is where `ctx.mail.send` reaches them. */
export type KitUser = Principal & { email?: string };

type KitHostOptions = {
  clock: Clock;
  objects: ObjectStore;
  kv: Record<Extract<HostOp, `kv.${string}`>, HostFunction>;
  settings: SettingsAccess;
  users: readonly KitUser[];
  outside: KitOutside;
};

/**
 * The host functions for tests: the real ones if they only need their arguments, otherwise with memory instead of
 * database and network. Permissions are checked as on a server.
 */
export const createKitHost = ({ clock, objects, kv, settings, users, outside }: KitHostOptions) => {
  const activity = {
    note: ({ entry }: { entry: object }) => outside.tell("activity", asJson(entry)),
    record: async () => {},
    wake: () => {},
    settle: async () => {},
  };
  const silent = { ...activity, note: () => {} };
  const functions: Record<HostOp, HostFunction> = {
    ...kv,
    ...createFileFunctions({ objects, keepWithin: (_, write) => write() }),
    ...createSettingFunctions(settings),
    ...createActivityFunction({ activity, clock }),
    ...createGuardFunctions(
      {
        check: checkRules,
        save: async (_, rules) => outside.tell("guardRules", asJson(rules)),
        stats: () => [],
      },
      { clock },
    ),
    ...createCallFunction((_, name, call) => outside.callPlugin(name, call)),
    ...createFetchFunction({
      activity: silent,
      clock,
      // A public IP address: nothing is ever sent there.
      resolve: async () => [{ address: "1.1.1.1" }],
      send: async ({ url, method, headers, body }) => {
        const text = body === null ? "" : new TextDecoder().decode(body);
        return toAnswer(await outside.fetch({ method, url: url.href, headers, text }));
      },
    }),
    "users.get": {
      permission: "users.read",
      run: async ({ args: [id] }) => {
        const user = users.find((one) => one.id === id);
        return user && { id: user.id, name: user.name, role: user.role };
      },
    },
    "mail.send": {
      permission: "mail.send",
      run: async ({ plugin, args }) => {
        const given = fieldsArgument(args[0], "mail", ["to", "subject", "text"]);
        const to = lineArgument(given.to, "to", 254);
        if (emailComplaint(to) !== null) throw invalid("to must be one email address");
        const subject = lineArgument(given.subject, "subject", 200);
        if (!users.some(({ email }) => email !== undefined && emailKey(email) === emailKey(to)))
          checkMailsAnyone(plugin);
        outside.tell("mail", { to, subject, text: textArgument(given.text, "text", 10_000) });
        return undefined;
      },
    },
  };
  return (plugin: HostedPlugin) =>
    async (op: HostOp, args: Json[]): Promise<Json | undefined> => {
      const { permission: needed, run } = functions[op];
      const permission = plugin.granted.find(({ name }) => name === needed) ?? null;
      if (needed !== null && permission === null) {
        const why = `The permission ${needed} was not granted: ${howToGrant(needed, plugin.manifest.permissions)}`;
        plugin.log("warn", `${op} was refused: ${why}`);
        throw new PluginFault("PERMISSION_DENIED", why);
      }
      try {
        return await run({ plugin, permission, args });
      } catch (error) {
        if (error instanceof PluginFault) throw error;
        throw new PluginFault("FAILED", error instanceof Error ? error.message : String(error));
      }
    };
};

/** It consists of JSON values. */
const asJson = (value: object): Json => value as Json;

const toAnswer = ({ status = 200, headers = {}, json, text, base64 }: PluginResponse) => ({
  status,
  headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers },
  body:
    base64 === undefined
      ? new TextEncoder().encode(json === undefined ? (text ?? "") : JSON.stringify(json))
      : new Uint8Array(Buffer.from(base64, "base64")),
});

type KvOp = Extract<HostOp, `kv.${string}`>;
type Entry = { json: string; version: number; endsAtMs: number };

/** Values by key in memory, with the rules of the real ones; tests read `values`. */
export const createMemoryKv = (
  clock: Clock,
): {
  functions: Record<KvOp, HostFunction>;
  values: Map<string, Json>;
  put(key: string, value: Json): void;
} => {
  const entries = new Map<string, Entry>();
  const values = new Map<string, Json>();

  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.endsAtMs > clock.now().getTime()) return entry;
    entries.delete(key);
    values.delete(key);
    return undefined;
  };
  const store = (key: string, value: Json, ttlMs: number | undefined): Entry => {
    const json = JSON.stringify(value);
    if (Buffer.byteLength(json) > pluginLimits.kvValueBytes)
      throw new PluginFault(
        "LIMIT_EXCEEDED",
        `A value can have at most ${pluginLimits.kvValueBytes / 1024} KB`,
      );
    const before = find(key);
    if (before === undefined && entries.size >= pluginLimits.kvKeys)
      throw new PluginFault("LIMIT_EXCEEDED", `A plugin can store at most ${pluginLimits.kvKeys} keys`);
    const endsAtMs = ttlMs === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() + ttlMs;
    const entry = { json, version: (before?.version ?? 0) + 1, endsAtMs };
    entries.set(key, entry);
    values.set(key, JSON.parse(json));
    return entry;
  };

  const run: Record<KvOp, (call: HostCall) => Json | undefined> = {
    "kv.get": ({ args: [key] }) => storedIn(find(keyOf(key))),
    "kv.entry": ({ args: [key] }) => {
      const entry = find(keyOf(key));
      return entry && { value: JSON.parse(entry.json), version: entry.version };
    },
    "kv.set": ({ args: [given, value, rest] }) => {
      const key = keyOf(given);
      if (value === undefined) throw invalid("value has to be JSON");
      const options = fieldsArgument(rest, "options", ["ttlMs", "ifVersion"]);
      const expected = numberArgument(options.ifVersion, "ifVersion", [0, Number.MAX_SAFE_INTEGER]);
      if (expected !== undefined && expected !== (find(key)?.version ?? 0))
        throw new PluginFault("CONFLICT", "The value has changed in the meantime");
      return { version: store(key, value, ttlOf(options.ttlMs)).version };
    },
    "kv.delete": ({ args: [given] }) => {
      const key = keyOf(given);
      const isThere = find(key) !== undefined;
      entries.delete(key);
      values.delete(key);
      return isThere;
    },
    "kv.list": ({ args: [prefix, rest] }) => {
      const { limit, cursor } = fieldsArgument(rest, "options", ["limit", "cursor"]);
      const most = numberArgument(limit, "limit", [1, 1_000]) ?? 100;
      const start = typeof prefix === "string" ? prefix : "";
      const after = typeof cursor === "string" ? cursor : "";
      const found = [...entries.keys()]
        .filter((key) => find(key) !== undefined && key.startsWith(start) && key > after)
        .sort();
      const keys = found.slice(0, most);
      return { keys, cursor: found.length > most ? (keys.at(-1) ?? null) : null };
    },
    "kv.incr": ({ args: [given, added, rest] }) => {
      const by = added ?? 1;
      const key = keyOf(given);
      const { ttlMs } = fieldsArgument(rest, "options", ["ttlMs"]);
      const before = storedIn(find(key)) ?? 0;
      if (typeof by !== "number" || !Number.isFinite(by)) throw invalid("by has to be a number");
      if (typeof before !== "number") throw invalid("The value of this key is not a number");
      store(key, before + by, ttlOf(ttlMs));
      return before + by;
    },
  };

  const hosted = (op: KvOp): HostFunction => ({
    permission: "storage.kv",
    run: async (call) => run[op](call),
  });
  const functions = {
    "kv.get": hosted("kv.get"),
    "kv.entry": hosted("kv.entry"),
    "kv.set": hosted("kv.set"),
    "kv.delete": hosted("kv.delete"),
    "kv.list": hosted("kv.list"),
    "kv.incr": hosted("kv.incr"),
  };
  return { functions, values, put: (key, value) => void store(key, value, undefined) };
};

const keyOf = (value: Json | undefined): string => textArgument(value, "key", pluginLimits.kvKeyLength);

const storedIn = (entry: Entry | undefined): Json | undefined => entry && JSON.parse(entry.json);

const ttlOf = (value: Json | undefined): number | undefined =>
  numberArgument(value, "ttlMs", [1, 10 * 365 * 24 * 60 * 60 * 1000]);

/** Objects in memory. */
export const createMemoryObjects = (): ObjectStore => {
  const kept = new Map<string, { bytes: Uint8Array; contentType: string }>();
  return {
    put: async (key, bytes, { contentType }) => void kept.set(key, { bytes: bytes.slice(), contentType }),
    get: async (key) => kept.get(key)?.bytes ?? null,
    delete: async (key) => void kept.delete(key),
    list: async (prefix) =>
      [...kept]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { bytes, contentType }]) => ({
          key,
          sizeBytes: bytes.length,
          digest: digestOf(bytes),
          contentType,
          createdAt: new Date(0),
        })),
    state: () => Promise.reject(new Error("Objects in memory have no state")),
  };
};
