import type { Context } from "#api/core/context.ts";

/** The page on which people see and change their own account. */
export const accountLink = (ctx: Context): string => `${ctx.appUrl}/dashboard`;

/** The page on which anybody can write to whoever runs the site. */
export const contactLink = (ctx: Context): string => `${ctx.appUrl}/contact`;
