import { AppError } from "./app-error.ts";
import type { BeforeAbout, BeforeHooks, Context } from "./context.ts";
import type { Database } from "./database.ts";

/**
 * Lets own features act in the transaction of a change, before it. An `AppError` of theirs refuses the change; whatever else
 * one throws ends it, too, and is logged with the feature's name. Throws both.
 */
export const runBefore = async <Name extends keyof BeforeHooks>(
  ctx: Context,
  tx: Database,
  name: Name,
  about: BeforeAbout[Name],
): Promise<void> => {
  // The operator repairs what features got wrong.
  if (name === "user.update" && ctx.actor.kind === "operator") return;
  for (const { feature, before } of ctx.beforeHooks)
    await before[name]?.(ctx, tx, about).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      throw new Error(`the feature ${feature} failed before ${name}`, { cause: error });
    });
};
