import { hasUnprintable } from "#contract/account-rules.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Permission, PermissionName } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { HostFault, HostFaultName } from "../runtime.ts";

/** A plugin as its host calls know it. */
export type HostedPlugin = {
  name: string;
  /** The key under which its values, secrets and files are stored. */
  dataKey: string;
  version: string;
  manifest: Manifest;
  granted: readonly Permission[];
  log(level: "debug" | "info" | "warn" | "error", message: string): void;
  /** It keeps requesting permissions that it doesn't have: it must be stopped. */
  violated(reason: string): void;
};

/** One host call. `permission` is the one that allowed it. */
export type HostCall = { plugin: HostedPlugin; permission: Permission | null; args: Json[] };

/** The permission of a host call, and its function. Throws a `PluginFault`. */
export type HostFunction = {
  permission: PermissionName | null;
  run(call: HostCall): Promise<Json | undefined>;
};

/** The source of a plugin's own actions. */
export const pluginSource = {
  actor: { kind: "plugin" },
  requestId: null,
  ip: null,
  userAgent: null,
} as const;

/** A failed host call; name and message are for the plugin's author. */
export class PluginFault extends Error implements HostFault {
  override readonly name: HostFaultName;

  constructor(name: HostFaultName, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = name;
  }
}

/** An invalid argument. */
export const invalid = (message: string): PluginFault => new PluginFault("INVALID", message);

/** A text of 1 to `most` UTF-16 units that a database can store. Throws `INVALID` with the argument's name. */
export const textArgument = (value: Json | undefined, name: string, most: number): string => {
  if (typeof value !== "string" || value === "") throw invalid(`${name} has to be a text`);
  if (value.length > most) throw invalid(`${name} has at most ${most} characters`);
  if (!value.isWellFormed() || value.includes("\0")) throw invalid(`${name} contains invalid characters`);
  return value;
};

/** The same for one displayed line. */
export const lineArgument = (value: Json | undefined, name: string, most: number): string => {
  const text = textArgument(value, name, most);
  if (hasUnprintable(text)) throw invalid(`${name} contains characters that can't be shown in one line`);
  return text;
};

/** The fields of an object; an absent one is an empty object. Throws `INVALID`, also for unknown fields. */
export const fieldsArgument = (
  value: Json | undefined,
  name: string,
  known: readonly string[],
): Record<string, Json | undefined> => {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(`${name} has to be an object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalid(`${name} has no field "${unknown.slice(0, 40)}"`);
  return value;
};

/** A whole number in bounds, or `undefined` if none was given. Throws `INVALID`. */
export const numberArgument = (
  value: Json | undefined,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined => {
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > most)
    throw invalid(`${name} has to be a whole number from ${least} to ${most}`);
  return Number(value);
};

/**
 * Bytes given as text or in base64, at most `most`; `null` if neither was given. Throws `INVALID`, `LIMIT_EXCEEDED`.
 */
export const bytesArgument = (
  { text, base64 }: Record<string, Json | undefined>,
  name: string,
): Uint8Array | null => {
  if (typeof text === "string") return new TextEncoder().encode(text);
  if (typeof base64 === "string") {
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw invalid(`${name}: base64 is not base64`);
    return Buffer.from(base64, "base64");
  }
  if (text !== undefined && text !== null) throw invalid(`${name}: text has to be a text`);
  if (base64 !== undefined && base64 !== null) throw invalid(`${name}: base64 has to be a text`);
  return null;
};

/** What to do about a missing permission: its author has to request it first, and an admin to grant it. */
export const howToGrant = (missing: PermissionName, asked: readonly Permission[]): string =>
  asked.some(({ name }) => name === missing)
    ? "grant it on the plugin's page"
    : "add it to permissions in plugin.json";

/** Lets a limited number of tasks run at the same time; the others wait in the order in which they came. */
export const createTurnstile = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const enter = async (): Promise<void> => {
    if (inside < most) {
      inside += 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const leave = (): void => {
    const next = waiting.shift();
    // The slot is handed over: a task that comes meanwhile can't take it.
    if (next === undefined) inside -= 1;
    else next();
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
