import type { StartRuntime } from "../runtime.ts";
import { type PluginCommand, pluginCommand } from "./child-process.ts";
import { launch } from "./launch.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";

/** Runs plugins as {@link startSandbox} does, with the given command in the place of this program's own. */
export const startSandboxWith =
  (command: () => PluginCommand): StartRuntime =>
  async (program, host) =>
    sandboxRuntime(program, await launch(command(), program, host));

/** Runs a plugin in a process of its own, which it can neither leave nor keep from being ended. */
export const startSandbox: StartRuntime = startSandboxWith(pluginCommand);
