import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ListChangesInput, SettingsHistory } from "./contract.ts";
import { readSettings } from "./read-settings.ts";
import { selectChanges, selectNewestByField } from "./store.ts";
import { toSettingsChange } from "./to-settings-change.ts";

/** Who changed which settings, newest first, and how many changes there are in all. For admins and the operator. */
export const listChanges = async (
  ctx: Context,
  { limit, before }: ListChangesInput,
): Promise<SettingsHistory> => {
  requireAdmin(ctx);
  const newest = await selectNewestByField(ctx.db);
  const stored = await readSettings(ctx.db, ctx.secrets);
  const { changes, total } = await selectChanges(ctx.db, { limit, before });
  return {
    changes: changes.map((row) => toSettingsChange(row, { newest, stored })),
    pagination: { total, limit },
  };
};
