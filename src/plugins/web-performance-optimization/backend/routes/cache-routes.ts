import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { ResponseCache } from "../answers/response-cache.ts";
import type { PerformanceSettings } from "../read-settings.ts";
import { cacheOptions } from "./route-options.ts";

type CacheParts = {
  settings: () => PerformanceSettings;
  cache: ResponseCache;
  /** Makes a purge known to all servers. */
  announce(path: string): Promise<void>;
};

/** The kept answers of this server, and how to forget them on all of them. */
export const addCacheRoutes = (ctx: NativeCtx, { settings, cache, announce }: CacheParts): void => {
  ctx.routes.get("/cache", cacheOptions.get, () => ({
    isOn: settings().isOn.responseCache,
    ...cache.state(),
  }));

  ctx.routes.post("/cache/purge", cacheOptions.purge, async ({ body, user }) => {
    const given: unknown = Reflect.get(Object(body), "path");
    const path = typeof given === "string" ? given : undefined;
    const purged = cache.purge(path);
    await announce(path ?? "*");
    // It is purged by then, whether or not the log takes another line this minute.
    await ctx.activity
      .log({
        type: "admin_action",
        action:
          path === undefined ? "Purged the response cache" : "Purged an address from the response cache",
        description: [path, user === null ? "by the operator" : `by ${user.name}`].filter(Boolean).join(", "),
      })
      .catch((error) => ctx.log("warn", `A purge could not be noted: ${error}`));
    const what = purged === 1 ? "1 kept answer" : `${purged} kept answers`;
    // Others hear of the last purge alone, and may have missed one before it: so they forget everything.
    const elsewhere = path === undefined ? "theirs, too" : "all of theirs";
    return { message: `${what} of this server purged; other servers forget ${elsewhere}.`, purged };
  });
};
