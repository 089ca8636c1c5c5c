import { limits } from "#contract/limits.ts";
import type { Context } from "./context.ts";

/**
 * Whether who acts has shown within the last minutes that they are there: by signing in, or by confirming it. The operator and
 * API tokens, behind which nobody sits, need not.
 */
export const isProven = ({ actor, clock }: Pick<Context, "actor" | "clock">): boolean =>
  actor.kind !== "user" || clock.now().getTime() - actor.provenAt.getTime() < limits.freshSessionMs;
