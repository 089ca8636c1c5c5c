import { and, count, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { sessions, users } from "#api/db/schema.ts";
import { isOpened, type SignInOffer } from "#api/modules/users/index.ts";

/**
 * How many users are linked to a provider at its issuer, how many of them have no other way to sign in, and how many are linked to it
 * at another issuer, or to its issuer under another name, alone.
 */
type Linked = { users: number; usersWithoutOther: number; usersElsewhere: number };

/** The enabled users of providers, by the ids of those. */
export const countLinked = async (
  db: Database,
  offer: SignInOffer,
  providers: readonly { id: string; issuer: string }[],
): Promise<ReadonlyMap<string, Linked>> => {
  const rows = await db.execute<Linked & { id: string }>(sql`
    with linked as (
      select named.id, own.user_id, bool_or(own.provider = named.id and own.issuer = named.issuer) as "isHere"
      from jsonb_to_recordset(${JSON.stringify(providers)}::jsonb) as named (id text, issuer text)
        join identities as own on own.provider = named.id or own.issuer = named.issuer
      group by 1, 2
    )
    select linked.id,
      (count(*) filter (where "isHere"))::float8 as users,
      (count(*) filter (where "isHere" and not (${isOpened(offer, sql`linked.id`)})))::float8 as "usersWithoutOther",
      (count(*) filter (where not "isHere"))::float8 as "usersElsewhere"
    from linked join users on users.id = linked.user_id
    where users.disabled_at is null
    group by 1`);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
};

const adminsBy = (provider: SQL | string) =>
  and(eq(users.role, "admin"), isNull(users.disabledAt), eq(users.roleSource, provider));

/** How many enabled admins have their role from the groups of each provider, by its id. */
export const countAdminsByGroup = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .select({ provider: users.roleSource, admins: count() })
    .from(users)
    .where(adminsBy(sql`${users.roleSource}`))
    .groupBy(users.roleSource);
  return new Map(rows.map(({ provider, admins }) => [provider ?? "", admins]));
};

/** Ends the sessions that began with a provider of the admins whom its groups made; resolves to the users. */
export const endSessionsOfAdminsBy = async (tx: Database, provider: string): Promise<string[]> => {
  const admins = tx.select({ id: users.id }).from(users).where(adminsBy(provider));
  const rows = await tx
    .delete(sessions)
    .where(and(eq(sessions.provider, provider), inArray(sessions.userId, admins)))
    .returning({ userId: sessions.userId });
  return [...new Set(rows.map(({ userId }) => userId))];
};
