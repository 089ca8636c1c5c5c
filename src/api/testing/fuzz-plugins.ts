import type { PluginRoutes } from "#api/plugin-host/dispatch/plugin-routes.ts";
import { checkRules } from "#api/plugin-host/guard/check-rules.ts";
import { createHostFunctions } from "#api/plugin-host/host-functions/create-host-functions.ts";
import type { HostOp, LivePlugin } from "#api/plugin-host/runtime.ts";
import { readManifest } from "#contract/plugin-manifest.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { startFuzzPlugin } from "./fuzz-plugin.ts";
import type { TestHost } from "./host.ts";
import { type CallsOf, startShippedPlugins } from "./shipped-plugins.ts";

/**
 * Opens the routes that calls at random are made of: a plugin's of the tests, and of all that are part of Atrium, whose
 * values and files lie in the host's database. They reach no one outside. Stop their runtimes after the tests.
 */
export const openFuzzPlugins = async (
  { services }: Pick<TestHost, "services">,
  routes: PluginRoutes,
): Promise<LivePlugin[]> => {
  const functions = createHostFunctions({
    services,
    network: { resolve: async () => [] },
    quotaBytes: 100_000_000,
    settings: { save: async () => {}, readSecret: async () => null },
    guard: { check: checkRules, save: async () => {}, stats: () => [] },
    callPlugin: (caller, name, call) => routes.call(caller, { name, ...call }),
  });
  const callsOf: CallsOf = (written) => {
    const read = readManifest(written);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const { manifest } = read;
    const { name, version, permissions: granted } = manifest;
    const said = { log: () => {}, violated: () => {} };
    const serve = functions.serve({ name, dataKey: name, version, manifest, granted, ...said });
    return (op, args) => serve(asHostOp(op), args.map(asJson));
  };
  const running = [await startFuzzPlugin(), ...(await startShippedPlugins(callsOf))];
  for (const live of running) routes.open(live);
  return running;
};

/** The plugins' side asks for nothing that there is not and gives JSON: its types say so, and lose it on the way. */
const asHostOp = (op: string): HostOp => op as HostOp;
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null));
