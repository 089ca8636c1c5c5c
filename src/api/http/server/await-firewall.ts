import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { within } from "#api/core/timing.ts";
import { anyGuards } from "#api/modules/plugins/index.ts";
import { coreManagerName } from "#api/plugin-host/native/native-host.ts";

type Guarded = Pick<Services, "db" | "log"> & {
  plugins: Pick<Services["plugins"], "isSafeMode" | "converge">;
};

const patienceMs = 5_000;
const pauseMs = 250;

/**
 * Whether requests have to wait until the firewall and the rules of other plugins apply. While it is unknown whether
 * there are any, they have to.
 */
export const isGuarded = async ({ db, plugins, log }: Guarded): Promise<boolean> => {
  if (plugins.isSafeMode) return false;
  try {
    return await anyGuards({ db }, coreManagerName);
  } catch (error) {
    log.warn("it is unknown whether plugins have rules for requests: they could not be read", {
      error: describeError(error),
    });
    return true;
  }
};

/**
 * Resolves when the firewall runs, which `started` begins, or is known to be off, and the rules of all plugins are
 * read, so that no request gets past them after a start. What cannot be read is read again. A firewall that does not
 * start within five seconds must not keep the installation away; that is logged.
 */
export const awaitFirewall = async (
  { plugins, log }: Pick<Guarded, "plugins" | "log">,
  started: Promise<unknown>,
): Promise<void> => {
  try {
    await within(
      patienceMs,
      started.then(() => untilConverged(plugins)),
    );
  } catch (error) {
    log.error("the firewall or rules of plugins do not apply yet: requests are answered without them", {
      error: describeError(error),
    });
  }
};

const untilConverged = async (plugins: Guarded["plugins"]): Promise<void> => {
  for (const endsAt = performance.now() + patienceMs; ; await Bun.sleep(pauseMs)) {
    try {
      return await plugins.converge([coreManagerName]);
    } catch (error) {
      if (performance.now() + pauseMs >= endsAt) throw error;
    }
  }
};
