import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Permission } from "#contract/plugins.ts";
import type { PluginRuntime } from "./runtime.ts";

/** A plugin that runs on this server, with what admins granted it. */
export type LivePlugin = {
  manifest: Manifest;
  version: string;
  /** SHA-256 of its package, in hexadecimal digits. */
  sha256: string;
  runtime: PluginRuntime;
  granted: readonly Permission[];
  /** Answers what none of its routes does, for admins: what a native plugin mounted. */
  mount?: ((request: Request) => Response | Promise<Response>) | undefined;
};

/** What others reach of a plugin while it runs, such as its routes, jobs or listeners. None of it may throw. */
export type PluginDoor = {
  /** Opens it, or puts it in the place of what was opened before, in one step. */
  open(live: LivePlugin): void;
  /** The plugin is on, but does not run at the moment. */
  suspend(name: string): void;
  /** The plugin is off. */
  close(name: string): void;
};
