/** The roles a user can have; `admin` is the only one that is checked. */
export const roles = ["user", "admin"] as const;
export type Role = (typeof roles)[number];

/** What a list of users can be sorted by. */
export const userSorts = ["created", "name", "email", "lastSeen"] as const;
export type UserSort = (typeof userSorts)[number];

/** The directions of a sorted list. */
export const sortOrders = ["asc", "desc"] as const;
export type SortOrder = (typeof sortOrders)[number];

/** The identity providers that people can sign in through. */
export const providerNames = ["google", "github"] as const;
export type ProviderName = (typeof providerNames)[number];

/** The providers as people know them. */
export const providerLabels: Record<ProviderName, string> = { google: "Google", github: "GitHub" };

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
