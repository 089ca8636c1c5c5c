import type { ProviderProfile } from "#api/core/context.ts";
import { emailComplaint, emailKey } from "#contract/account-rules.ts";

/** What counts of an account; `subject` is its identity at the provider in question, if it has one. */
export type AccountFacts = {
  id: string;
  emailKey: string;
  subject: string | null;
  isVerified: boolean;
  isDisabled: boolean;
};

/** The account that has the identity, and the one that has the address; either may be missing. */
export type LocalFacts = { owner: AccountFacts | null; holder: AccountFacts | null };

/** What becomes of a social sign-in; `reason` is for the log. */
export type LinkDecision =
  | { kind: "sign-in"; userId: string }
  | { kind: "link"; userId: string }
  | { kind: "take-over"; userId: string; email: string }
  | { kind: "create"; email: string }
  | { kind: "refuse"; reason: string };

/**
 * Whom an identity signs in. One that is known signs its owner in, whatever its address is by now. An unknown one needs
 * an address that the provider vouches for: it is linked to the account of that address if that is verified too; an
 * unverified one, which anybody may have made, is taken over by the address's real owner.
 */
export const decideLink = ({ owner, holder }: LocalFacts, profile: ProviderProfile): LinkDecision => {
  const email = provenEmail(profile);
  if (owner) {
    if (owner.isDisabled) return refuse("the account is disabled");
    const isProven = email !== null && emailKey(email) === owner.emailKey;
    return !owner.isVerified && isProven
      ? { kind: "take-over", userId: owner.id, email }
      : { kind: "sign-in", userId: owner.id };
  }
  if (profile.email === null) return refuse("the provider names no address");
  if (!profile.isEmailVerified) return refuse("the provider does not vouch for the address");
  if (email === null) return refuse("the address is not one that an account can have");
  if (holder === null) return { kind: "create", email };
  if (holder.isDisabled) return refuse("the account is disabled");
  if (!holder.isVerified) return { kind: "take-over", userId: holder.id, email };
  if (holder.subject !== null) return refuse("the account is linked to another identity of this provider");
  return { kind: "link", userId: holder.id };
};

/** The address that the provider vouches for, when an account can have it; `null` otherwise. */
export const provenEmail = ({ email, isEmailVerified }: ProviderProfile): string | null =>
  email !== null && isEmailVerified && emailComplaint(email) === null ? email.trim() : null;

const refuse = (reason: string): LinkDecision => ({ kind: "refuse", reason });
