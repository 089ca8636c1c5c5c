import type { Database } from "#api/core/database.ts";
import type { EventBus } from "#api/core/events.ts";
import type { SettingsService, SiteCache } from "#api/core/settings.ts";
import { createSettingsService } from "#api/modules/settings/index.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { testContext, testSecrets } from "./context.ts";

/**
 * The settings as a process of its own knows them, and the operator's context in it. `bus` is how it hears of others: of
 * no one, unless given. `siteCache` is the copy of what the site is called, `fixedSite` what the operator set of it,
 * and `homePages` what the build offers as home page.
 */
export const startSettings = async (
  db: Database,
  bus?: EventBus,
  redisUrl: string | null = null,
  siteCache?: SiteCache,
  fixedSite: Partial<SiteSettings> = {},
  homePages?: SettingsService["homePages"],
) => {
  const ctx = testContext({ db, actor: { kind: "operator" } });
  const { log, clock, activity, happenings } = ctx;
  const events = bus ?? ctx.events;
  const { service, stop } = await createSettingsService({
    ...{ db, log, clock, activity, happenings, events, box: testSecrets },
    ...{ redisUrl, s3Endpoints: [], fixedSite },
    ...(siteCache === undefined ? {} : { siteCache }),
    ...(homePages === undefined ? {} : { homePages }),
  });
  return { ctx: { ...ctx, events, settings: service }, service, stop, logged: ctx.logged };
};
