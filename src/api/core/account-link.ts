import type { Context } from "./context.ts";

/** The page on which people see and change their own account. */
export const accountLink = (ctx: Context): string => `${ctx.appUrl}/dashboard`;
