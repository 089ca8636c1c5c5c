import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering, refused, withinLimits } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** Rules for requests that the host applies by itself, before anything else: here for a word in a query. */
export const addGuard = (ctx: Ctx): void => {
  const word = { type: "string", minLength: 12, maxLength: 40, pattern: "^[a-z-]+$" };
  const body = { type: "object", properties: { word }, required: ["word"] };
  ctx.routes.put(
    "/guard",
    {
      body,
      summary: "Blocks a word",
      description: "Replaces the plugin's rules for requests by one: no query may hold this word.",
      answers: { ...answering("The word", { blocked: "not-in-my-house" }), ...refused },
    },
    withinLimits(ctx, async ({ body: given }) => {
      const blocked = String(fieldsOf(given).word);
      await ctx.guard.setRules([{ kind: "pattern", action: "block", in: ["query"], contains: [blocked] }]);
      return { blocked };
    }),
  );
  ctx.routes.get(
    "/guard",
    {
      summary: "How often it was blocked",
      description: "How often each rule applied on this server since it was set.",
      answers: {
        200: {
          description: "The rules by their places",
          schema: { type: "array", items: { type: "object" } },
          example: [{ rule: 0, hits: 2 }],
        },
      },
    },
    () => ctx.guard.stats(),
  );
  ctx.routes.delete(
    "/guard",
    {
      summary: "Blocks nothing any more",
      description: "Takes all of the plugin's rules for requests away.",
      answers: { ...answering("Nothing is blocked", { blocked: null }), ...refused },
    },
    withinLimits(ctx, async () => {
      await ctx.guard.setRules([]);
      return { blocked: null };
    }),
  );
};
