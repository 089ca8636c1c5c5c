import { type ActivityEntry, factOf, noteActivity } from "./activity.ts";
import { requireAdmin } from "./actor.ts";
import { AppError } from "./app-error.ts";
import type { Context } from "./context.ts";
import type { Database } from "./database.ts";
import type { AppEvent } from "./events.ts";

/**
 * What the log records. `described` adds what is known only after the change; `null` means that nothing changed, so that
 * nothing is recorded.
 */
export type AdminAct<T> = ActivityEntry & {
  described?: (outcome: T) => Partial<ActivityEntry> | null;
  /** The events to publish after the commit. */
  events?: (outcome: T) => AppEvent[];
};

/**
 * Runs every change by admins and the operator. The change and its row in the activity log share a transaction, so that
 * neither exists without the other; events are published after the commit. A refusal is recorded as a failure. Throws
 * `NOT_SIGNED_IN`, `FORBIDDEN`, and what `change` throws.
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
    // Anything but a refusal is our own fault, and the application's log has it.
    if (error instanceof AppError) noteActivity(ctx, refused(entry, error));
    throw error;
  }
};

/** Nothing was changed, so there is neither `before` nor `after`. */
const refused = (
  { before: _, after: __, description, ...entry }: ActivityEntry,
  { message }: AppError,
): ActivityEntry => ({
  ...entry,
  status: "failure",
  description: description === undefined ? message : `${description}: ${message}`,
});
