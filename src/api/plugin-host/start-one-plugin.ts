import type { Services } from "#api/core/context.ts";
import type { Plugins } from "./create-plugins.ts";
import { prepareBundled } from "./prepare-bundled.ts";

/**
 * Starts one plugin and those that it needs, in a process that is no server, for a call of its routes. Resolves when it has
 * settled: running, or failed, or off because admins have it so.
 */
export const startOnePlugin = async (
  services: Services & { plugins: Plugins },
  name: string,
): Promise<void> => {
  await prepareBundled(services);
  await services.plugins.start(name);
  await services.plugins.converge([name]);
};
