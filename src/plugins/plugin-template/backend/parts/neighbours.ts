import type { Ctx, Json } from "../../atrium-plugin.d.ts";

/** Routes of other plugins: of those that the manifest names. */
export const addNeighbours = (ctx: Ctx): void => {
  ctx.routes.get("/licence", { summary: "What the plugin licensing says" }, async (): Promise<Json> => {
    try {
      const { status = 200, json = null } = await ctx.plugins.call("licensing", "GET", "/status");
      return { status, json };
    } catch (error) {
      // It is switched off, or not installed.
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  });
};
