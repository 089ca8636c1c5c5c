import { type ActivityEntry, factOf } from "#api/core/activity.ts";
import { type AdminAct, adminAction } from "#api/core/admin-action.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { type Catalogue, readCatalogue } from "./catalogue.ts";
import { lockPlugins, nextGeneration } from "./store.ts";

/** The plugins, held by a transaction: nobody changes them meanwhile. */
export type HeldPlugins = {
  tx: Database;
  catalogue: Catalogue;
  now: Date;
  /** The number of this change, the same each time; every server acts on it once the transaction commits. */
  raise(): Promise<number>;
  /** Records something besides what the change as a whole is. */
  record(entry: ActivityEntry): Promise<void>;
};

/**
 * The way in which admins change plugins: one after the other, each with its rows in the log in the same transaction.
 * Every replica hears of a change that was given a number.
 */
export const changePlugins = async <T>(
  ctx: Context,
  act: Omit<AdminAct<T>, "events">,
  change: (held: HeldPlugins) => Promise<T>,
): Promise<T> => {
  let generation: number | null = null;
  return adminAction<T>(
    ctx,
    {
      ...act,
      events: () => (generation === null ? [] : [{ type: "plugins-changed", generation }]),
    },
    async (tx) => {
      await lockPlugins(tx);
      return change({
        tx,
        catalogue: await readCatalogue(tx),
        now: ctx.clock.now(),
        raise: async () => {
          generation ??= await nextGeneration(tx);
          return generation;
        },
        record: (entry) => ctx.activity.record(tx, factOf(ctx, entry)),
      });
    },
  );
};
