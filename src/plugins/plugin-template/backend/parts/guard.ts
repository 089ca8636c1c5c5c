import type { Ctx } from "../../atrium-plugin.d.ts";
import { answering, refused, withinLimits } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

/** Request rules, which the host applies before anything else. This one blocks a word in the query. */
export const addGuard = (ctx: Ctx): void => {
  const word = { type: "string", minLength: 12, maxLength: 40, pattern: "^[a-z-]+$" };
  const body = { type: "object", properties: { word }, required: ["word"] };
  ctx.routes.put(
    "/guard",
    {
      body,
      summary: "Block a word",
      description: "Replaces the plugin's request rules with one that blocks this word in queries.",
      answers: { ...answering("The blocked word", { blocked: "not-in-my-house" }), ...refused },
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
      summary: "Show how often it was blocked",
      description: "How often each rule has matched on this server since it was set.",
      answers: {
        200: {
          description: "The rules by index",
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
      summary: "Remove the rules",
      description: "Removes all of the plugin's request rules.",
      answers: { ...answering("Nothing is blocked", { blocked: null }), ...refused },
    },
    withinLimits(ctx, async () => {
      await ctx.guard.setRules([]);
      return { blocked: null };
    }),
  );
};
