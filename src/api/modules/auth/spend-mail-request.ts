import type { Context } from "#api/core/context.ts";
import { networkOf } from "#api/core/network-of.ts";
import { tooManyMailRequests } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

/**
 * Counts a request for a mail against the place it comes from, whatever the address: nobody floods the mailboxes of
 * others. Throws `RATE_LIMITED`.
 */
export const spendMailRequest = (ctx: Context): Promise<void> =>
  ctx.attempts.spend([
    {
      key: `mail-request:${networkOf(ctx.ip)}`,
      most: limits.mailRequestsByIp,
      windowMs: limits.signInWindowMs,
      message: tooManyMailRequests,
    },
  ]);
