import { type Complaint, hasUnprintable, hasVisible, isLongerThan } from "./account-rules.ts";
import { spanOf } from "./endpoints.ts";

/** The parts of the product that a token can be let into, to read or to change them. */
export const tokenAreas = ["plugins", "settings", "activity", "users"] as const;

/** The same with backups, which tokens can be let read alone: a copy that is kept elsewhere needs no more. */
export const tokenParts = [...tokenAreas, "backups"] as const;
export type TokenPart = (typeof tokenParts)[number];

/**
 * What a token can be allowed; `*` is everything that tokens may do. Any other right includes `read` of its area, and
 * `settings:security` includes `settings:write`.
 */
export const tokenScopes = [
  "*",
  "plugins:read",
  "plugins:write",
  "plugins:settings",
  "settings:read",
  "settings:write",
  "settings:security",
  "activity:read",
  "activity:write",
  "users:read",
  "users:write",
  "backups:read",
] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Whether a token can be used: until it expires or is revoked, whichever comes first. */
export const tokenStates = ["live", "expired", "revoked"] as const;
export type TokenState = (typeof tokenStates)[number];

/** Bounds of tokens; lengths in characters, `callsPerMinute` for each token. */
export const tokenLimits = {
  nameLength: 60,
  liveTokens: 100,
  /** Dead ones that are kept to be looked at; beyond them the longest dead give way to new ones. */
  deadTokens: 400,
  networks: 20,
  callsPerMinute: 100_000,
  /** How long a token lasts when nothing is said of it. */
  defaultDays: 90,
  mostDays: 3_650,
  /** Wrong tokens from one network in the window, before it is told to wait. */
  failuresByNetwork: 100,
  failureWindowMs: 15 * 60 * 1000,
  /** How often at most it is recorded that a token was used. */
  touchMs: 60 * 1000,
} as const;

/** Whether `scopes` allow what `needed` does. */
export const allows = (scopes: readonly TokenScope[], needed: TokenScope): boolean =>
  scopes.includes(needed) || scopes.some((scope) => includesScope(scope, needed));

/** Whether a scope allows all that another one does, and more. */
export const includesScope = (scope: TokenScope, other: TokenScope): boolean => {
  if (scope === other || scope === "*") return scope !== other;
  if (scope === "settings:security" && other === "settings:write") return true;
  return other.endsWith(":read") && scope.startsWith(other.replace(/read$/, ""));
};

/** Complaint about a token's name: empty, too long, or with characters that cannot be seen. */
export const tokenNameComplaint = (name: string): Complaint => {
  const value = name.trim();
  if (value === "" || isLongerThan(value, tokenLimits.nameLength)) return tokenTexts.badName;
  return hasUnprintable(value) || !hasVisible(value) ? tokenTexts.badName : null;
};

/** Complaint about an address or range that a token may be used from. */
export const networkComplaint = (network: string): Complaint =>
  spanOf(network) === null ? tokenTexts.badNetwork : null;

/** Sentences about tokens that several doors show. */
export const tokenTexts = {
  none: "No tokens",
  created: "The token was created. Copy it now; it is not shown again",
  changed: "The token was changed",
  revoked: "The token was revoked; requests with it are refused",
  revokedBefore: "This token is already revoked",
  removed: "The token was removed from the list",
  removeLive: "This token can still be used; revoke it first",
  changeDead: "This token can no longer be used, so there is nothing to change",
  unknown: "This token doesn't exist",
  notCurrent: "This request was made without a token",
  nameTaken: "Another usable token has this name",
  tooMany: `There are already ${tokenLimits.liveTokens} tokens; revoke one that isn't needed`,
  badName: `Please give a name of 1 to ${tokenLimits.nameLength} characters`,
  badScopes: `Please choose at least one of ${tokenScopes.join(", ")}`,
  badNetwork: "Please enter an address or a range such as 203.0.113.7 or 10.0.0.0/8",
  tooManyNetworks: `Please give at most ${tokenLimits.networks} addresses and ranges`,
  badCalls: `Please enter a whole number from 1 to ${tokenLimits.callsPerMinute}`,
  badExpiry: "Please give a date and a time, such as 2030-01-31T00:00:00Z",
  expiryPast: "Please choose a time in the future",
  expiryFar: `Please choose a time within ${tokenLimits.mostDays} days, or none`,
  /** What a call with a token that is no good is told, whatever is wrong with it. */
  refused:
    "This API token is not valid here; it may have expired, been revoked, or be limited to other networks",
  /** Said of something that cannot be a token at all, without looking for it. */
  malformed: "This is not an API token: a character is missing or wrong",
  ownerOverdue: "This API token rests until its owner has set up two-factor authentication",
  guessedTooOften: "Too many requests with invalid tokens came from here",
  notForTokens: "This request needs a signed-in user; API tokens can't make it",
  scopeMissing: (scope: TokenScope) =>
    `This API token is not allowed to do this; it needs the scope ${scope}`,
  callsUsedUp: "This API token has used up its requests for this minute",
} as const;
