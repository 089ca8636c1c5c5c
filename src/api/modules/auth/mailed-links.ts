import type { Context } from "#api/core/context.ts";

/** The page that uses a verification token up. Its origin comes from the configuration alone, never from a request. */
export const verificationLink = (ctx: Context, token: string): string =>
  `${ctx.appUrl}/verify-email?token=${token}`;

/** The sign-in page. */
export const loginLink = (ctx: Context): string => `${ctx.appUrl}/login`;
