import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { ErrorKind } from "#contract/errors.ts";
import type { User } from "#contract/users.ts";

/** Leaves with the activity log that somebody signed in; `way` is "a password", or the provider's name. */
export const noteSignIn = (ctx: Context, { user, way }: { user: User; way: string }): void =>
  noteActivity(ctx, {
    type: "api_call",
    action: "Signed in",
    description: `With ${way}`,
    severity: user.role === "admin" ? "medium" : "low",
    by: user,
  });

/**
 * Leaves with the activity log that a sign-in with a password was refused. What is noted, and what it costs, is the
 * same whether or not the address has an account. Failures of the server are not noted here.
 */
export const noteRefusedSignIn = (
  ctx: Context,
  { email, error }: { email: string; error: unknown },
): void => {
  const entry = error instanceof AppError ? refusals[error.kind] : undefined;
  if (entry === undefined) return;
  // Whoever tries is nobody known, even in a browser that somebody is signed in with.
  const stranger: Context = { ...ctx, actor: { kind: "visitor" } };
  noteActivity(stranger, { ...entry, status: "failure", userEmail: email.trim() });
};

const refusals: Partial<Record<ErrorKind, ActivityEntry>> = {
  INVALID_CREDENTIALS: {
    type: "suspicious_activity",
    action: "Failed to sign in",
    description: "Wrong address or password",
    severity: "medium",
  },
  RATE_LIMITED: {
    type: "suspicious_activity",
    action: "Tried to sign in too often",
    description: "Passwords are not looked at for a while",
    severity: "high",
  },
  EMAIL_NOT_VERIFIED: {
    type: "api_call",
    action: "Failed to sign in",
    description: "The address was not verified yet",
  },
};
