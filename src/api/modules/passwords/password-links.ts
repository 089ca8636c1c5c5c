import type { Context } from "#api/core/context.ts";

/** The page that uses a reset token up. Its origin comes from the configuration alone, never from a request. */
export const resetPasswordLink = (ctx: Context, token: string): string =>
  `${ctx.appUrl}/reset-password?token=${token}`;

/** The page that asks for such a link. */
export const forgotPasswordLink = (ctx: Context): string => `${ctx.appUrl}/forgot-password`;
