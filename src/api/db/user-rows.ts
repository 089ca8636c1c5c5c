import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { ProviderName, providerIdFields } from "#contract/users.ts";
import { identities, users } from "./schema.ts";

type ProviderIds = Record<(typeof providerIdFields)[ProviderName], string | null>;

/** A user as the database holds them: the row, and their id at each provider, `null` where none is linked. */
export type UserRow = typeof users.$inferSelect & ProviderIds;

const subjectAt = (provider: ProviderName) =>
  // Qualified by hand: in a query of one table the builder writes its columns bare, and `id` is the inner table's then.
  sql<
    string | null
  >`(select subject from ${identities} where user_id = ${users}.id and provider = ${provider})`;

/** What is selected of a {@link UserRow}. */
export const userColumns = {
  ...getTableColumns(users),
  googleId: subjectAt("google"),
  githubId: subjectAt("github"),
} satisfies Record<keyof UserRow, unknown>;

/** The user that the condition finds, locked until the transaction ends, or `null`. */
export const holdUser = async (tx: Database, which: SQL | undefined): Promise<UserRow | null> => {
  const [locked] = await tx.select({ id: users.id }).from(users).where(which).for("no key update");
  if (!locked) return null;
  // A statement that waited for a lock sees the row as it is now, and other tables as they were before: so another one.
  const [row] = await tx.select(userColumns).from(users).where(eq(users.id, locked.id));
  return row ?? null;
};
