import type { Ctx, Json } from "../../atrium-plugin.d.ts";

/** Routes of other plugins: of those that the manifest names. */
export const addNeighbours = (ctx: Ctx): void => {
  ctx.routes.get(
    "/licence",
    {
      summary: "What the plugin licensing says",
      description:
        "Calls a route of another plugin, and tells what it answered or why it could not be called.",
      answers: {
        200: {
          description: "Its answer, or the problem",
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
        // It is switched off, or not installed.
        return { problem: error instanceof Error ? error.message : String(error) };
      }
    },
  );
};
