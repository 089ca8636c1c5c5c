import { silentEvents } from "#api/core/events.ts";
import { createNativeHost } from "#api/plugin-host/native/native-host.ts";
import { createTestClock } from "./clock.ts";
import { createFixedSettings } from "./fixed-settings.ts";
import { createLocalRateLimiter } from "./local-rate-limiter.ts";

/** What plugins inside a server may ask it for, where there is no server around them. */
export const nativeHostOf = createNativeHost({
  appUrl: "http://localhost:3000",
  settings: createFixedSettings(),
  events: silentEvents,
  limiter: createLocalRateLimiter(createTestClock()),
  countryOf: null,
  app: { routes: () => [], pageFiles: () => ({ scripts: [], styles: [] }) },
});
