import type { AccountSettings } from "./core-settings.ts";

/** Whether no one may register without being invited, where this is the setting of who may. */
export const isInvitedOnly = (policy: AccountSettings["registration"]): boolean =>
  policy === "invite" || policy === "closed";
