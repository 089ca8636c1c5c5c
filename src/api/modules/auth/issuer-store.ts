import { and, eq, isNotNull, not, sql } from "drizzle-orm";
import type { Database } from "#api/db/database.ts";
import { installation, users } from "#api/db/schema.ts";
import { type ProviderName, providerIdFields } from "#contract/users.ts";

/** The issuer at which this installation first had this provider: `issuer` itself when none is known yet. */
export const takeFirstIssuer = async (
  db: Database,
  provider: ProviderName,
  issuer: string,
): Promise<string> => {
  const key = `identities.${provider}`;
  const find = () =>
    db.select({ value: installation.value }).from(installation).where(eq(installation.key, key));
  const [known] = await find();
  if (known) return known.value;
  await db.insert(installation).values({ key, value: issuer }).onConflictDoNothing();
  const [row] = await find();
  return row?.value ?? issuer;
};

/** How many accounts are linked to an identity of the provider that does not begin with `prefix`. */
export const countLinkedBeside = (db: Database, provider: ProviderName, prefix: string): Promise<number> => {
  const subject = users[providerIdFields[provider]];
  return db.$count(users, and(isNotNull(subject), not(sql`starts_with(${subject}, ${prefix})`)));
};
