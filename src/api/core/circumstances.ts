import type { Context } from "./context.ts";
import { describeDevice } from "./device-words.ts";

/** When, from where and with what something was done, as a mail tells it. */
export type Circumstances = { at: Date; ip: string; device: string };

/** The circumstances of the call that is being answered. */
export const circumstancesOf = (ctx: Context): Circumstances => ({
  at: ctx.clock.now(),
  ip: ctx.ip,
  device: describeDevice(ctx.userAgent),
});
