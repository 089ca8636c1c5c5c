import type { Clock } from "#api/core/clock.ts";
import type { ServiceStates, SettingsDesk } from "#api/core/settings.ts";
import { serverOf } from "#contract/endpoints.ts";
import { settingsTexts } from "#contract/settings-texts.ts";

export type ServiceStatesParts = {
  settings: SettingsDesk;
  clock: Clock;
  /** How the services are doing of which something is used. */
  used: ServiceStates;
};

/**
 * How the external services are doing. One that is saved with a secret that does not open is not used at all, as if it
 * were not set up; it is told as away, with the reason, so that somebody sees to it.
 */
export const createServiceStates = ({ settings, clock, used }: ServiceStatesParts): ServiceStates => {
  let { locked } = settings.current;
  let since = { redis: clock.now(), bucket: clock.now() };
  settings.subscribe(({ locked: next }) => {
    const now = clock.now();
    since = {
      redis: next.redis === locked.redis ? since.redis : now,
      bucket: next.bucket === locked.bucket ? since.bucket : now,
    };
    locked = next;
  });
  const away = (server: string, at: Date) => ({
    ...{ state: "away" as const, server, source: "settings" as const },
    ...{ since: at.toISOString(), reason: settingsTexts.secretLocked },
  });
  return {
    redis: () =>
      locked.redis === null
        ? used.redis()
        : away(serverOf(locked.redis).replace(/^\w+:\/\//, ""), since.redis),
    storage: async () => ({
      ...(await used.storage()),
      ...(locked.bucket === null ? {} : away(locked.bucket, since.bucket)),
    }),
  };
};
