import { pluginLimits } from "#contract/plugins.ts";
import type { Health, Json } from "#plugins/sdk/types.ts";
import { InvocationError, type PluginProgram, type PluginRuntime, type StartRuntime } from "../runtime.ts";
import { type LaunchedPlugin, launch, type PluginCommand, pluginCommand } from "./launch.ts";
import { readObject } from "./read-from-child.ts";
import { isDeeperThan, sandboxLimits } from "./sandbox-limits.ts";

/** Runs plugins like {@link startSandbox}, with the given command instead of this program's own. */
export const startSandboxWith =
  (command: () => PluginCommand): StartRuntime =>
  async (program, host) =>
    sandboxRuntime(program, await launch(command(), program, host));

/** Runs a plugin in its own process, which it can neither leave nor keep from being ended. */
export const startSandbox: StartRuntime = startSandboxWith(pluginCommand);

/** What the host can do with a plugin's process. */
const sandboxRuntime = (program: PluginProgram, plugin: LaunchedPlugin): PluginRuntime => {
  const { wallMs } = program.limits;
  let underWay = 0;
  let stopping: Promise<void> | null = null;

  const invoke = async (handler: string, payload: Json): Promise<Json | undefined> => {
    if (underWay >= pluginLimits.callsAtOnce)
      throw new InvocationError("too-many", `${pluginLimits.callsAtOnce} calls are already running`);
    const json = JSON.stringify(payload);
    if (
      json.length > sandboxLimits.invocationBytes / 4 &&
      Buffer.byteLength(json) > sandboxLimits.invocationBytes
    )
      throw new InvocationError("too-large", "The call is too large");
    // A text that is too short for it is not even scanned.
    if (json.length > sandboxLimits.jsonDepth && isDeeperThan(Buffer.from(json), sandboxLimits.jsonDepth))
      throw new InvocationError("too-large", "The call is nested too deeply");
    underWay += 1;
    try {
      return await plugin.run("invoke", handler, json, wallMs);
    } finally {
      underWay -= 1;
    }
  };

  return {
    registration: plugin.registration,
    isolation: plugin.isolation,
    memoryBytes: plugin.memoryBytes,
    invoke,
    setSettings: async (settings) => {
      await plugin.run("settings", "", JSON.stringify(settings), wallMs);
    },
    health: async () => readHealth(await plugin.run("health", "", "null", wallMs)),
    migrate: async (from) => {
      await plugin.run("migrate", "", JSON.stringify(from), sandboxLimits.migrateMs);
    },
    stop: (reason) => {
      const end = async (): Promise<void> => {
        const farewell = plugin.run("teardown", "", JSON.stringify(reason), wallMs);
        // How its teardown goes doesn't matter, only that it ends.
        await Promise.race([farewell.catch(() => {}), Bun.sleep(pluginLimits.teardownMs)]);
        await plugin.end();
      };
      stopping ??= end();
      return stopping;
    },
  };
};

const readHealth = (value: Json | undefined): Health => {
  const { ok, detail } = readObject(value) ?? {};
  return { ok: ok === true, ...(typeof detail === "string" ? { detail: detail.slice(0, 500) } : {}) };
};
