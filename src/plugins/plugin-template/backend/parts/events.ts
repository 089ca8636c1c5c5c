import type { Ctx, Json } from "../../atrium-plugin.d.ts";

/** Events of the application. */
export const addEvents = (ctx: Ctx): void => {
  ctx.on("user.login", ({ userId }) => remember(ctx, { event: "user.login", userId }));
  ctx.on("user.registered", ({ userId }) => remember(ctx, { event: "user.registered", userId }));
  ctx.on("plugin.state", ({ name, state }) => remember(ctx, { event: "plugin.state", name, state }));
  ctx.on("settings.changed", ({ section }) => remember(ctx, { event: "settings.changed", section }));
  ctx.routes.get(
    "/events",
    {
      summary: "Recent events",
      description: "The last twenty events received by the plugin, newest first.",
      answers: {
        200: {
          description: "The events",
          schema: { type: "array", items: { type: "object" } },
          example: [{ at: "2026-01-31T14:30:00.000Z", event: "settings.changed", section: "core" }],
        },
      },
    },
    async () => (await ctx.kv.get("events")) ?? [],
  );
};

const kept = 20;

const remember = async (ctx: Ctx, received: { [key: string]: Json }): Promise<void> => {
  const before = await ctx.kv.get("events");
  const at = new Date().toISOString();
  await ctx.kv.set("events", [{ at, ...received }, ...(Array.isArray(before) ? before : [])].slice(0, kept));
};
