import { type ActivityEntry, factOf, noteActivity } from "./activity.ts";
import { requireAdmin } from "./actor.ts";
import { AppError } from "./app-error.ts";
import type { Context } from "./context.ts";
import type { Database } from "./database.ts";
import type { AppEvent } from "./events.ts";

/**
 * What goes into the log. `described` adds what is known only once the change is made; `null` means that nothing was
 * changed, and then nothing is recorded.
 */
export type AdminAct<T> = ActivityEntry & {
  described?: (outcome: T) => Partial<ActivityEntry> | null;
  /** What everybody is told once the change is committed. */
  events?: (outcome: T) => AppEvent[];
};

/**
 * The one way in which admins and the operator change something: the change and its row in the activity log share a
 * transaction, so that there is never one without the other; what it tells others is told after the commit. A refusal
 * is recorded too, as a failure. Throws `NOT_SIGNED_IN` or `FORBIDDEN`, and what `change` throws.
 */
export const adminAction = async <T>(
  ctx: Context,
  { described, events, ...entry }: AdminAct<T>,
  change: (tx: Database) => Promise<T>,
): Promise<T> => {
  requireAdmin(ctx);
  try {
    const outcome = await ctx.db.transaction(async (tx) => {
      const made = await change(tx);
      const details = described === undefined ? {} : described(made);
      if (details !== null) await ctx.activity.record(tx, factOf(ctx, { ...entry, ...details }));
      return made;
    });
    ctx.activity.wake();
    for (const event of events?.(outcome) ?? []) ctx.events.publish(event);
    return outcome;
  } catch (error) {
    // What is no refusal is a fault of ours: the application's log has it.
    if (error instanceof AppError) noteActivity(ctx, refused(entry, error));
    throw error;
  }
};

/** Nothing was changed, so neither `before` nor `after` is told. */
const refused = (
  { before: _, after: __, description, ...entry }: ActivityEntry,
  { message }: AppError,
): ActivityEntry => ({
  ...entry,
  status: "failure",
  description: description === undefined ? message : `${description}: ${message}`,
});
