import { relativeTime } from "./relative-time.ts";

/** The roles a user can have; `admin` is the only one that is checked. */
export const roles = ["user", "admin"] as const;
export type Role = (typeof roles)[number];

/** What can become of an invitation. */
export const invitationStates = ["waiting", "accepted", "expired", "withdrawn"] as const;
export type InvitationState = (typeof invitationStates)[number];

/** What the links of a change of email address can be used for. */
export const emailChangeActs = ["confirm", "approve", "stop", "undo"] as const;
export type EmailChangeAct = (typeof emailChangeActs)[number];

/** What a list of users can be sorted by. */
export const userSorts = ["created", "name", "email", "lastSeen"] as const;
export type UserSort = (typeof userSorts)[number];

/** The directions of a sorted list. */
export const sortOrders = ["asc", "desc"] as const;
export type SortOrder = (typeof sortOrders)[number];

/** The identity providers that have a button on every sign-in page, and a field of each user. */
export const providerNames = ["google", "github"] as const;
export type ProviderName = (typeof providerNames)[number];

/** The providers as people know them. */
export const providerLabels: Record<ProviderName, string> = { google: "Google", github: "GitHub" };

/** What a provider speaks: the protocol of its name, or OpenID Connect. */
export const providerKinds = [...providerNames, "oidc"] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** The kind of the provider with this id; all but the two that are named are OpenID issuers of the operator's choice. */
export const providerKind = (id: string): ProviderKind => providerNames.find((name) => name === id) ?? "oidc";

/** The field of a user with their id at each provider; `null` in it where none is linked. */
export const providerIdFields = { google: "googleId", github: "githubId" } as const satisfies Record<
  ProviderName,
  keyof User
>;

/** A user as every door shows it. Timestamps are ISO 8601 in UTC. */
export type User = {
  id: string;
  name: string;
  email: string;
  role: Role;
  googleId: string | null;
  githubId: string | null;
  emailVerified: boolean;
  createdAt: string;
};

/** What opens an account beside its password: an identity at a provider, a passkey, or an API token that its owner made. */
export const wayInKinds = [...providerKinds, "passkey", "token"] as const;
type WayInKind = (typeof wayInKinds)[number];

/**
 * A way into an account; `label` is the provider's, or the name of the passkey or token. `since` is ISO 8601 in UTC, `null` where no
 * one knows. `isNewer`: added since the owner last followed an emailed link. `isRemovable`: a password reset removes it unless told
 * otherwise.
 */
export type WayIn = {
  id: string;
  kind: WayInKind;
  label: string;
  since: string | null;
  isNewer: boolean;
  isRemovable: boolean;
};

/** A way into an account that was removed. */
export type RemovedWay = Omit<WayIn, "isNewer" | "isRemovable">;

// Providers are called by their label alone.
const wayWords: Partial<Record<WayInKind, { what: string; verb: string }>> = {
  passkey: { what: "Passkey ", verb: "added" },
  token: { what: "API token ", verb: "created" },
};

/** What a way into an account is called. */
export const wayInName = ({ kind, label }: RemovedWay): string => `${wayWords[kind]?.what ?? ""}${label}`;

/** Since when a way into an account has been there, such as "connected 3 days ago"; `null` if unknown. */
export const wayInAge = ({ kind, since }: RemovedWay, nowMs: number): string | null =>
  since && `${wayWords[kind]?.verb ?? "connected"} ${relativeTime(since, nowMs, "en")}`;

/** What was removed, in one sentence: "Removed: Google (connected 3 days ago)." */
export const removedSentence = (ways: readonly RemovedWay[], nowMs: number): string => {
  const words = ways.map((way) => {
    const age = wayInAge(way, nowMs);
    return age === null ? wayInName(way) : `${wayInName(way)} (${age})`;
  });
  return `Removed: ${words.join(", ")}.`;
};
