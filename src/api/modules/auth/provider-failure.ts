import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { ProviderName } from "#contract/users.ts";

/** A social sign-in that is refused; `reason` is for the log alone, because everybody else is told the same. */
export const refusal = (reason: string): AppError =>
  new AppError("INVALID_CREDENTIALS", undefined, { cause: reason });

/** Writes down why a social sign-in failed. Neither code nor state nor token has a part in a reason. */
export const logProviderFailure = (ctx: Context, provider: ProviderName, error: unknown): void => {
  const facts = { requestId: ctx.requestId, provider };
  if (error instanceof AppError) ctx.log.warn("social sign-in failed", { ...facts, reason: reasonOf(error) });
  else
    ctx.log.error("social sign-in failed", { ...facts, reason: "unexpected", error: describeError(error) });
};

const reasonOf = ({ kind, cause }: AppError): string => {
  if (typeof cause === "string") return cause;
  return kind === "PROVIDER_UNAVAILABLE" && cause instanceof Error ? cause.message : kind;
};
