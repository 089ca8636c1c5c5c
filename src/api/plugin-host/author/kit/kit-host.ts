import type { Clock } from "#api/core/clock.ts";
import { digestOf } from "#api/core/ids.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import { emailKey } from "#contract/account-rules.ts";
import type { Json, Method, PluginResponse, Principal } from "#plugins/sdk/types.ts";
import { checkRules } from "../../guard/check-rules.ts";
import {
  createActivityFunction,
  createCallFunction,
  createGuardFunctions,
  createPeopleFunctions,
  createSettingFunctions,
  type SettingsAccess,
} from "../../host-functions/core-functions.ts";
import { createFetchFunction } from "../../host-functions/fetch-function.ts";
import { createFileFunctions } from "../../host-functions/file-functions.ts";
import {
  type HostedPlugin,
  type HostFunction,
  howToGrant,
  PluginFault,
} from "../../host-functions/host-function.ts";
import { createKvFunctions, type KeepWithin, type KvStore } from "../../host-functions/kv-functions.ts";
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
  kv: KvStore;
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
  const keepWithin: KeepWithin = (_, write) => write();
  const functions: Record<HostOp, HostFunction> = {
    ...createKvFunctions({ clock, store: kv, keepWithin }),
    ...createFileFunctions({ objects, keepWithin }),
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
    ...createPeopleFunctions({
      find: async (id) => {
        const user = users.find((one) => one.id === id);
        return user && { id: user.id, name: user.name, role: user.role };
      },
      spend: async () => {},
      addressOf: async (given) => {
        const isUsers = ({ email }: KitUser) => email !== undefined && emailKey(email) === emailKey(given);
        return users.some(isUsers) ? given : undefined;
      },
      send: async (_, { to, subject, text }) => outside.tell("mail", { to, subject, text }),
    }),
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
