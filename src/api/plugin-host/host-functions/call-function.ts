import type { Json, Method, PluginResponse } from "#plugins/sdk/types.ts";
import type { HostFunction } from "./hosted-plugin.ts";
import { invalid, PluginFault } from "./plugin-fault.ts";
import { textArgument } from "./read-argument.ts";

/** Calls a route of a plugin in the name of another. Rejects with an `Error` for people when it cannot be called. */
export type CallPlugin = (
  caller: string,
  name: string,
  call: { method: Method; path: string; body: Json },
) => Promise<PluginResponse>;

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const pathLength = 2_048;

/** Calls between plugins: only to those that were granted by name. */
export const createCallFunction = (callPlugin: CallPlugin): Record<"plugins.call", HostFunction> => ({
  "plugins.call": {
    permission: "plugins.call",
    run: async ({ plugin, permission, args }) => {
      const name = textArgument(args[0], "name", 40);
      if (permission?.plugins?.includes(name) !== true)
        throw new PluginFault("PERMISSION_DENIED", `The plugin ${name} was not granted`);
      const method = methods.find((word) => word === args[1]);
      if (method === undefined) throw invalid(`method has to be one of ${methods.join(", ")}`);
      const path = textArgument(args[2], "path", pathLength);
      if (!path.startsWith("/")) throw invalid("path has to begin with a slash");
      return callPlugin(plugin.name, name, { method, path, body: args[3] ?? null });
    },
  },
});
