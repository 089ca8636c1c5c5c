import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { within } from "#api/core/within.ts";
import { listEnabled } from "#api/modules/plugins/index.ts";
import { coreManagerName } from "#api/plugin-host/native/native-extras.ts";

const patienceMs = 5_000;

/** Whether requests have to wait until the firewall is in force. */
export const isGuarded = async ({ db, plugins, log }: Services): Promise<boolean> => {
  if (plugins.isSafeMode) return false;
  try {
    return (await listEnabled({ db })).includes(coreManagerName);
  } catch (error) {
    log.warn("whether the firewall is on could not be read", { error: describeError(error) });
    return false;
  }
};

/**
 * Resolves when the firewall runs, which `started` begins: nothing gets past it between a start and its first look. A firewall
 * that does not come up within five seconds must not keep the installation away; that is told of.
 */
export const awaitFirewall = async ({ plugins, log }: Services, started: Promise<unknown>): Promise<void> => {
  try {
    await within(
      patienceMs,
      started.then(() => plugins.converge([coreManagerName])),
    );
  } catch (error) {
    log.error("the firewall does not run yet: requests are answered without it", {
      error: describeError(error),
    });
  }
};
