import type { AccountSettings } from "#contract/core-settings.ts";
import type { Role } from "#contract/users.ts";
import type { Services } from "./context.ts";

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
