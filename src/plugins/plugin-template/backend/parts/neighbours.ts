import type { Ctx, Json } from "../../atrium-plugin.d.ts";

/** Requests to other plugins that the manifest lists. */
export const addNeighbours = (ctx: Ctx): void => {
  ctx.routes.get(
    "/licence",
    {
      summary: "Ask the licensing plugin",
      description: "Calls a route of another plugin and returns its response or the error.",
      answers: {
        200: {
          description: "The response or the error",
          schema: { type: "object" },
          example: { status: 200, json: { success: true } },
        },
      },
    },
    async (): Promise<Json> => {
      try {
        const { status = 200, json = null } = await ctx.plugins.call("licensing", "GET", "/status");
        return { status, json };
      } catch (error) {
        // The other plugin is disabled or not installed.
        return { problem: error instanceof Error ? error.message : String(error) };
      }
    },
  );
};
