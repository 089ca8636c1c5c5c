import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import { identities } from "#api/db/schema.ts";

/** An identity that an account has; what is left out is `https://id.example`'s, of a date that no one knows. */
export type TestIdentity = Pick<typeof identities.$inferInsert, "userId" | "provider" | "subject"> &
  Partial<typeof identities.$inferInsert>;

/** Links an account to someone at a provider, as if it had been done before; resolves to the identity's id. */
export const addIdentity = async (db: Database, identity: TestIdentity): Promise<string> => {
  const id = newId();
  await db.insert(identities).values({ id, issuer: "https://id.example", ...identity });
  return id;
};
