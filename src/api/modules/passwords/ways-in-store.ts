import { and, asc, desc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { apiTokens, identities, users } from "#api/db/schema.ts";
import { providerLabels } from "#contract/users.ts";
import type { WayIn } from "#contract/ways-in.ts";

/** What opens a user's account beside the password: linked identities, and API tokens that they made and that work. */
export const selectWaysIn = async (db: Database, userId: string, now: Date): Promise<WayIn[]> => {
  const [user] = await db.select({ provedAt: users.mailboxProvedAt }).from(users).where(eq(users.id, userId));
  const linked = await db
    .select({ id: identities.id, kind: identities.provider, at: identities.linkedAt })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.provider));
  const made = await db
    .select({ id: apiTokens.id, label: apiTokens.name, at: apiTokens.createdAt })
    .from(apiTokens)
    .where(
      and(
        eq(apiTokens.createdBy, userId),
        isNull(apiTokens.revokedAt),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
      ),
    )
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));
  const provedAt = user?.provedAt ?? null;
  const aged = (at: Date | null) => ({
    since: at?.toISOString() ?? null,
    // Before the first proof anybody may have added what there is.
    isNewer: at !== null && (provedAt === null || at > provedAt),
  });
  return [
    ...linked.map(({ id, kind, at }) => ({ id, kind, label: providerLabels[kind], ...aged(at) })),
    ...made.map(({ id, label, at }) => ({ id, kind: "token" as const, label, ...aged(at) })),
  ];
};

/** Takes ways into an account away: identities are removed, tokens revoked. The user's row must be held. */
export const removeWaysIn = async (tx: Database, ways: readonly WayIn[], now: Date): Promise<void> => {
  const ids = ways.map(({ id }) => id);
  await tx.delete(identities).where(inArray(identities.id, ids));
  await tx.update(apiTokens).set({ revokedAt: now }).where(inArray(apiTokens.id, ids));
};
