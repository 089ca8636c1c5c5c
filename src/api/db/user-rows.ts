import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { identities, users } from "./schema.ts";

/** A user as the database holds them: the row, and their subject at each provider that is linked, by its id. */
export type UserRow = typeof users.$inferSelect & { subjects: Readonly<Record<string, string>> };

/** What is selected of a {@link UserRow}. */
export const userColumns = {
  ...getTableColumns(users),
  // Qualified by hand: in a query of one table the builder writes its columns bare, and `id` is the inner table's then.
  subjects: sql<
    UserRow["subjects"]
  >`(select coalesce(json_object_agg(provider, subject), '{}') from ${identities} where user_id = ${users}.id)`,
} satisfies Record<keyof UserRow, unknown>;

/** The identity of a user at a provider, and whether they gave a second factor there when they last signed in with it. */
export type IdentityFactor = { provider: string; issuer: string; hasFactor: boolean };

/** What is selected beside a user for each of their {@link IdentityFactor}s: each sign-in, link and removal writes the user's row. */
export const identityFactors = sql<IdentityFactor[]>`(
  select coalesce(json_agg(json_build_object('provider', provider, 'issuer', issuer, 'hasFactor', factor_at is not null)), '[]')
  from ${identities} where user_id = ${users}.id)`;

/** The user that the condition finds, locked until the transaction ends, or `null`. */
export const holdUser = async (tx: Database, which: SQL | undefined): Promise<UserRow | null> => {
  const [locked] = await tx.select({ id: users.id }).from(users).where(which).for("no key update");
  if (!locked) return null;
  // A statement that waited for a lock sees the row as it is now, and other tables as they were before: so another one.
  const [row] = await tx.select(userColumns).from(users).where(eq(users.id, locked.id));
  return row ?? null;
};
