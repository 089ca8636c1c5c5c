import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Permission, PermissionName } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";

/** A plugin as its host calls know it. */
export type HostedPlugin = {
  name: string;
  /** Under which name its values, secrets and files are stored. */
  dataKey: string;
  version: string;
  manifest: Manifest;
  granted: readonly Permission[];
  log(level: "debug" | "info" | "warn" | "error", message: string): void;
  /** It keeps asking for what it was not granted: it has to be stopped. */
  violated(reason: string): void;
};

/** One host call. `permission` is that which let it pass. */
export type HostCall = { plugin: HostedPlugin; permission: Permission | null; args: Json[] };

/** What a host call needs, and what it does. Throws a `PluginFault`. */
export type HostFunction = {
  permission: PermissionName | null;
  run(call: HostCall): Promise<Json | undefined>;
};
