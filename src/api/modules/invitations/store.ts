import { and, count, desc, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { invitations, users } from "#api/db/schema.ts";
import { selectTakenKeys } from "#api/modules/users/index.ts";
import type { InvitationState } from "#contract/users.ts";

/** An invitation as it is stored. */
export type InvitationRow = typeof invitations.$inferSelect;

// Qualified by hand: in a query of one table the builder writes its columns bare.
const stateAt = (now: Date) => sql<InvitationState>`case
  when ${invitations}.accepted_at is not null then 'accepted'
  when ${invitations}.withdrawn_at is not null then 'withdrawn'
  when ${lte(invitations.expiresAt, now)} then 'expired'
  else 'waiting' end`;

const isIn = (state: InvitationState, now: Date): SQL => sql`${stateAt(now)} = ${state}`;

/** An invitation with its state. */
export type KnownInvitation = InvitationRow & { state: InvitationState };

const select = (db: Database, now: Date) =>
  db.select({ row: invitations, state: stateAt(now) }).from(invitations);

const known = ({ row, state }: { row: InvitationRow; state: InvitationState }): KnownInvitation => ({
  ...row,
  state,
});

/** One page of the invitations, those emailed last first, and how many there are in all. */
export const selectInvitations = async (
  db: Database,
  {
    state,
    limit,
    offset,
    now,
  }: { state?: InvitationState | undefined; limit: number; offset: number; now: Date },
): Promise<{ rows: KnownInvitation[]; total: number }> => {
  const wanted = state === undefined ? undefined : isIn(state, now);
  const rows = await select(db, now)
    .where(wanted)
    .orderBy(desc(invitations.mailedAt), desc(invitations.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(invitations).where(wanted);
  return { rows: rows.map(known), total: counted?.total ?? 0 };
};

/** The folded addresses among these that have an account, are reserved for one, or have a waiting invitation. */
export const selectTaken = async (
  db: Database,
  keys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, "account" | "waiting">> => {
  const waiting = await db
    .select({ key: invitations.emailKey })
    .from(invitations)
    .where(and(inArray(invitations.emailKey, [...keys]), isIn("waiting", now)));
  return new Map([
    ...waiting.map(({ key }) => [key, "waiting"] as const),
    ...(await selectTakenKeys(db, keys, now)).map((key) => [key, "account"] as const),
  ]);
};

/** The invitation with this id or folded address, locked until the transaction ends, or `null`. */
export const holdInvitation = async (
  tx: Database,
  handle: { id: string } | { key: string },
  now: Date,
): Promise<KnownInvitation | null> => {
  const which = "id" in handle ? eq(invitations.id, handle.id) : eq(invitations.emailKey, handle.key);
  const [row] = await select(tx, now).where(which).for("update", { of: invitations });
  return row ? known(row) : null;
};

/**
 * Stores an invitation in the place of one of the same address that does not wait anymore. False when one waits: of many at the same
 * time exactly one is stored. Begin with the lowest address, or two that store several wait for each other.
 */
export const putInvitation = async (tx: Database, row: InvitationRow, now: Date): Promise<boolean> => {
  const rows = await tx
    .insert(invitations)
    .values(row)
    .onConflictDoUpdate({
      target: invitations.emailKey,
      set: row,
      setWhere: sql`${stateAt(now)} <> 'waiting'`,
    })
    .returning({ id: invitations.id });
  return rows.length > 0;
};

/** Changes an invitation that is held. */
export const updateInvitation = async (
  tx: Database,
  id: string,
  change: Partial<InvitationRow>,
): Promise<void> => {
  await tx.update(invitations).set(change).where(eq(invitations.id, id));
};

/** The waiting invitation that a token was emailed for, or `null`. */
export const findByToken = async (
  db: Database,
  tokenHash: string,
  now: Date,
): Promise<InvitationRow | null> => {
  const [found] = await select(db, now).where(
    and(eq(invitations.tokenHash, tokenHash), isIn("waiting", now)),
  );
  return found?.row ?? null;
};

/**
 * Uses an invitation up, by its token or by the folded address of someone who proved to own it; `null` when none waits. Of many at
 * the same time one gets it.
 */
export const takeInvitation = async (
  tx: Database,
  proof: { tokenHash: string } | { emailKey: string },
  now: Date,
): Promise<InvitationRow | null> => {
  const which =
    "tokenHash" in proof
      ? eq(invitations.tokenHash, proof.tokenHash)
      : eq(invitations.emailKey, proof.emailKey);
  const [row] = await tx
    .update(invitations)
    .set({ acceptedAt: now })
    .where(and(which, isIn("waiting", now)))
    .returning();
  return row ?? null;
};

/**
 * Whether someone still is an enabled admin. Held, so that whoever takes these rights away at the same time comes before or after, and
 * then sees the invitations made here. Call it first: users are locked before invitations.
 */
export const holdInviter = async (tx: Database, id: string): Promise<boolean> => {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, "admin"), isNull(users.disabledAt)))
    .for("share");
  return rows.length > 0;
};
