import type { Context } from "#api/core/context.ts";

/** The page on which anybody can write to whoever runs the site. */
export const contactLink = (ctx: Context): string => `${ctx.appUrl}/contact`;
