import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";

/** The reason that is nobody's fault. */
export const changedMind = "the person said no";

/** A social sign-in that is refused; `reason` is for the log alone, because everybody else is told the same. */
export const refusal = (reason: string): AppError =>
  new AppError("INVALID_CREDENTIALS", undefined, { cause: reason });

/**
 * Writes down why a social sign-in failed, for the operator and in the activity log. Neither code nor state nor token
 * has a part in a reason.
 */
export const logProviderFailure = (ctx: Context, provider: ProviderName, error: unknown): void => {
  const facts = { requestId: ctx.requestId, provider };
  noteActivity(ctx, {
    ...kindOf(error),
    action: `Failed to sign in with ${providerLabels[provider]}`,
    description: error instanceof AppError ? reasonOf(error) : "unexpected",
    status: "failure",
  });
  if (error instanceof AppError) ctx.log.warn("social sign-in failed", { ...facts, reason: reasonOf(error) });
  else
    ctx.log.error("social sign-in failed", { ...facts, reason: "unexpected", error: describeError(error) });
};

const kindOf = (error: unknown): Pick<ActivityEntry, "type" | "severity"> => {
  if (!(error instanceof AppError) || error.kind === "PROVIDER_UNAVAILABLE")
    return { type: "network_request", severity: "medium" };
  if (error.cause === changedMind) return { type: "api_call", severity: "low" };
  return { type: "suspicious_activity", severity: "medium" };
};

const reasonOf = ({ kind, cause }: AppError): string => {
  if (typeof cause === "string") return cause;
  return kind === "PROVIDER_UNAVAILABLE" && cause instanceof Error ? cause.message : kind;
};
