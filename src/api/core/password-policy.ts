import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { isPersonal, type PasswordOwner } from "#contract/password-strength.ts";
import { noteActivity } from "./activity.ts";
import { validationError } from "./app-error.ts";
import type { Context } from "./context.ts";

/** `field`: the one that the password was typed into, where that is not `password`. */
type Owner = PasswordOwner & { field?: string };

/**
 * Refuses a new password that is among the most common ones, personal ({@link isPersonal}), or known from a data breach.
 * There are no rules about its characters. The length is checked when the request is parsed. A password whose breaches can't be checked passes,
 * and the activity log says so. Throws a 422 on the field. Source: NIST SP 800-63B §3.1.1.2.
 */
export const checkNewPassword = async (ctx: Context, password: string, owner: Owner): Promise<void> => {
  const complaint = (message: string) => validationError([{ path: owner.field ?? "password", message }]);
  if (await isCommonPassword(password)) throw complaint(authTexts.passwordCommon);
  if (isPersonal(password, owner)) throw complaint(authTexts.passwordPersonal);
  const verdict = await ctx.breachCheck(password);
  if (verdict === "breached") throw complaint(authTexts.passwordBreached);
  if (verdict === "unknown") await noteUnchecked(ctx);
};

const uncheckedKey = "breach-check:unknown";
const hourMs = 60 * 60 * 1_000;

/** When a new password could not be checked against breaches, if that was within the last hour: ISO 8601; `null` otherwise. */
export const readUncheckedAt = ({ cache }: Pick<Context, "cache">): Promise<string | null> =>
  cache.get(uncheckedKey, (value) => (typeof value === "string" ? value : null));

/** Says in the activity log that passwords are not checked against breaches now, once an hour. */
const noteUnchecked = async (ctx: Context): Promise<void> => {
  if ((await readUncheckedAt(ctx)) !== null) return;
  await ctx.cache.set(uncheckedKey, ctx.clock.now().toISOString(), hourMs);
  noteActivity(ctx, {
    type: "suspicious_activity",
    action: "Could not check a new password against data breaches",
    severity: "low",
    status: "failure",
  });
};

/** Whether a password, in whatever case, is among the 17,950 most common ones of 8 characters or more. Source: zxcvbn's dictionary. */
const isCommonPassword = async (password: string): Promise<boolean> =>
  (await commonPasswords()).has(password.toLowerCase());

/** The most common passwords that are long enough to be chosen, in lower case. */
export const commonPasswords = (): Promise<ReadonlySet<string>> => {
  loading ??= load();
  return loading;
};

let loading: Promise<ReadonlySet<string>> | null = null;

// Unpacking the dictionary takes some 20 ms: the first new password pays it, not the start.
const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((word) => word.length >= limits.passwordMinLength));
};
