import type { Ctx } from "../../atrium-plugin.d.ts";
import { fieldsOf } from "../fields-of.ts";

/** Rules for requests that the host applies by itself, before anything else: here for a word in a query. */
export const addGuard = (ctx: Ctx): void => {
  const word = { type: "string", minLength: 12, maxLength: 40, pattern: "^[a-z-]+$" };
  const body = { type: "object", properties: { word }, required: ["word"] };
  ctx.routes.put("/guard", { body, summary: "Blocks a word" }, async ({ body: given }) => {
    const blocked = String(fieldsOf(given).word);
    await ctx.guard.setRules([{ kind: "pattern", action: "block", in: ["query"], contains: [blocked] }]);
    return { blocked };
  });
  ctx.routes.get("/guard", { summary: "How often it was blocked" }, () => ctx.guard.stats());
  ctx.routes.delete("/guard", { summary: "Blocks nothing any more" }, async () => {
    await ctx.guard.setRules([]);
    return { blocked: null };
  });
};
