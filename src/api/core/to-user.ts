import type { Role, User } from "#contract/users.ts";

/** What the table of users holds of a person, as far as the person may be shown. */
export type UserFields = {
  id: string;
  name: string;
  email: string;
  role: Role;
  googleId: string | null;
  githubId: string | null;
  emailVerifiedAt: Date | null;
  createdAt: Date;
};

/** The row as the API shows it. */
export const toUser = (row: UserFields): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  googleId: row.googleId,
  githubId: row.githubId,
  emailVerified: row.emailVerifiedAt !== null,
  createdAt: row.createdAt.toISOString(),
});
