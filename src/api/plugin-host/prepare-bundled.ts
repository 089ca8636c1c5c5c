import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { syncBundled } from "#api/modules/plugins/index.ts";

/** Brings in plugins that are part of this executable; nothing of that may keep a server from running. */
export const prepareBundled = async (services: Services): Promise<void> => {
  try {
    await syncBundled(services);
  } catch (error) {
    services.log.error("plugins of Atrium could not be installed", { error: describeError(error) });
  }
};
