import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { selectKeys, toTrustedKey } from "./keys-store.ts";

/** Publishers' keys: those that the operator pinned, then those that admins added, revoked ones too. For admins and the operator. */
export const listKeys = async (ctx: Context): Promise<TrustedKey[]> => {
  requireAdmin(ctx);
  return [...ctx.plugins.pinnedKeys, ...(await selectKeys(ctx.db)).map(toTrustedKey)];
};
