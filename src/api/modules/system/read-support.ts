import { requireOperator } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { SupportFacts } from "./contract.ts";
import { selectSupportFacts } from "./support-store.ts";

/** What the database tells whoever looks for a fault: nothing of people, no secrets. For the operator. */
export const readSupport = async (ctx: Context): Promise<SupportFacts> => {
  requireOperator(ctx);
  return selectSupportFacts(ctx.db);
};
