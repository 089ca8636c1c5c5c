import { authTexts } from "#contract/auth-texts.ts";
import type { AccountSettings } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";
import { isPersonal, type PasswordOwner } from "#contract/password-strength.ts";
import type { Role } from "#contract/users.ts";
import { noteActivity } from "./activity.ts";
import { validationError } from "./app-error.ts";
import type { Context, Services } from "./context.ts";

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

/** A provider as it was when a user was linked to it: under another issuer it knows them no more. */
export type KnownProvider = { provider: string; issuer: string };

type Policy = Pick<AccountSettings, "secondFactor" | "graceDays">;

/**
 * What is stored about someone's second factor: `factorRequiredFrom` is when the time to set one up began anew, `givenAt` the linked
 * providers at which they gave one when they last signed in.
 */
export type FactorState = {
  role: Role;
  secondFactorAt: Date | null;
  factorRequiredFrom: Date | null;
  createdAt: Date;
  givenAt: readonly KnownProvider[];
};

/** By what it is judged. */
type Judges = Pick<Services, "settings" | "providers">;

const graceMs = ({ graceDays }: Policy): number => graceDays * 24 * 60 * 60 * 1000;

/** Whether users with a role must have a second factor. */
export const isFactorRequired = (role: Role, { secondFactor }: Policy): boolean =>
  secondFactor === "everyone" || (secondFactor === "admins" && role === "admin");

/** The provider whose second factor is the one that a user must have; `undefined` for those who have an own one or need none. */
export const providerOfFactor = (state: FactorState, { settings, providers }: Judges): string | undefined =>
  state.secondFactorAt === null && isFactorRequired(state.role, settings.current.accounts)
    ? state.givenAt.find(({ provider, issuer }) => {
        const offered = providers.get(provider);
        return offered?.issuer === issuer && offered.rules.isFactorTrusted;
      })?.provider
    : undefined;

/**
 * By when a user must have set up a second factor; `null` for those who have one, here or at a provider that is trusted with it, and
 * those who need none.
 */
export const factorRequiredBy = (state: FactorState, judges: Judges): Date | null => {
  const { role, secondFactorAt, factorRequiredFrom, createdAt } = state;
  const policy = judges.settings.current.accounts;
  if (secondFactorAt !== null || !isFactorRequired(role, policy)) return null;
  if (providerOfFactor(state, judges) !== undefined) return null;
  return new Date((factorRequiredFrom ?? createdAt).getTime() + graceMs(policy));
};

/** Whether a user should have set up a second factor by now. */
export const isFactorOverdue = (state: FactorState, judges: Judges & Pick<Services, "clock">): boolean => {
  const requiredBy = factorRequiredBy(state, judges);
  return requiredBy !== null && requiredBy <= judges.clock.now();
};

const adminsGraceMs = 60 * 60 * 1000;

/** The `factorRequiredFrom` of a user who was invited: an admin's time is over, so that setting up a required one is part of accepting. */
export const requiredFromInvitation = (role: Role, policy: Policy, now: Date): Date | null =>
  role === "admin" ? new Date(now.getTime() - graceMs(policy)) : null;

/** The `factorRequiredFrom` of a user whose second factor is reset now: an admin's has to be replaced within the hour. */
export const requiredFromReset = (role: Role, policy: Policy, now: Date): Date =>
  role === "admin" ? new Date(now.getTime() + adminsGraceMs - graceMs(policy)) : now;
