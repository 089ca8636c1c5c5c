import type { Ctx, Json } from "../../atrium-plugin.d.ts";

/** What happens in the application. */
export const addEvents = (ctx: Ctx): void => {
  ctx.on("user.login", ({ userId }) => remember(ctx, { event: "user.login", userId }));
  ctx.on("user.registered", ({ userId }) => remember(ctx, { event: "user.registered", userId }));
  ctx.on("plugin.state", ({ name, state }) => remember(ctx, { event: "plugin.state", name, state }));
  ctx.on("settings.changed", ({ section }) => remember(ctx, { event: "settings.changed", section }));
  ctx.routes.get(
    "/events",
    {
      summary: "What happened last",
      description: "The last twenty happenings that the plugin heard of, newest first.",
      answers: {
        200: {
          description: "The happenings",
          schema: { type: "array", items: { type: "object" } },
          example: [{ at: "2026-01-31T14:30:00.000Z", event: "settings.changed", section: "core" }],
        },
      },
    },
    async () => (await ctx.kv.get("events")) ?? [],
  );
};

const kept = 20;

const remember = async (ctx: Ctx, happening: { [key: string]: Json }): Promise<void> => {
  const before = await ctx.kv.get("events");
  const at = new Date().toISOString();
  await ctx.kv.set("events", [{ at, ...happening }, ...(Array.isArray(before) ? before : [])].slice(0, kept));
};
