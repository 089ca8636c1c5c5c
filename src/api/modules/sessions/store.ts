import { and, count, desc, eq, gt, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { toUser } from "#api/core/actor.ts";
import type { Database } from "#api/core/database.ts";
import type { FactorState, KnownProvider } from "#api/core/password-policy.ts";
import { prepared } from "#api/db/prepared.ts";
import {
  emailChanges,
  identities,
  knownDevices,
  passkeys,
  sessions,
  totpSecrets,
  users,
} from "#api/db/schema.ts";
import { type IdentityFactor, identityFactors, userColumns } from "#api/db/user-rows.ts";
import { limits } from "#contract/limits.ts";
import type { FactorProof } from "#contract/proof.ts";
import type { User } from "#contract/users.ts";
import { type SessionTimes, sessionEnd } from "./session-end.ts";

/** A signed-in browser and the user behind it. The caller compares its end with the clock: see {@link sessionEnd}. */
export type StoredSession = {
  user: User;
  tokenHash: string;
  /** When the user signed in, or last confirmed it. */
  confirmedAt: Date;
  /** When the user last gave a second factor in this session; `null` if never. */
  factorAt: Date | null;
  /** Whether the user has a second factor, and what decides by when they must. */
  factor: FactorState;
  /** The linked providers at which the user gives a second factor, in this session or not. */
  factorsElsewhere: readonly KnownProvider[];
  /** Which they have; a change of them also writes the user's row. */
  factors: readonly FactorProof[];
  /** When the user signed in. */
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date;
  /** Another one after each change of the session's row or of its user's: see {@link findChanged}. */
  version: string;
};

/** A row of the sessions table. */
type SessionRow = typeof sessions.$inferSelect;

/** A session that begins now; `factorAt` is when its user gave a second factor, if they did. */
export type NewSession = Omit<SessionRow, "createdAt" | "lastUsedAt"> & { now: Date };

/** The transactions that last wrote the two rows. Source: PostgreSQL's documentation, 5.6 "System Columns". */
const rowVersions = sql<string>`${sessions}.xmin::text || ' ' || ${users}.xmin::text`;

const sessionByHash = prepared((db) =>
  db
    .select({
      user: userColumns,
      tokenHash: sessions.tokenHash,
      confirmedAt: sessions.confirmedAt,
      factorAt: sessions.factorAt,
      provider: sessions.provider,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
      lastUsedAt: sessions.lastUsedAt,
      hasPasskey: sql<boolean>`exists (select from ${passkeys} where user_id = ${users.id})`,
      hasApp: sql<boolean>`exists (select from ${totpSecrets} where user_id = ${users.id})`,
      linked: identityFactors,
      version: rowVersions,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sql.placeholder("tokenHash")), isNull(users.disabledAt)))
    .prepare("session_by_hash"),
);

/** The session with this hash, or `null` when there is none or its user is disabled. */
export const findSession = async (db: Database, tokenHash: string): Promise<StoredSession | null> => {
  const [row] = await sessionByHash(db).execute({ tokenHash });
  if (!row) return null;
  const { user, hasPasskey, hasApp, provider, linked, ...session } = row;
  const factors: FactorProof[] = [
    ...(hasPasskey ? (["passkey"] as const) : []),
    ...(hasApp ? (["code"] as const) : []),
  ];
  const factor = factorStateOf(user, { ...session, provider }, linked);
  const factorsElsewhere = linked.filter(({ hasFactor }) => hasFactor);
  return { ...session, user: toUser(user), factor, factorsElsewhere, factors };
};

/** A second factor that someone without an own one gave can only be their provider's, while it's linked. */
const factorStateOf = (
  user: Omit<FactorState, "givenAt">,
  { factorAt, provider }: Pick<SessionRow, "factorAt" | "provider">,
  linked: IdentityFactor[],
): FactorState => {
  const { role, secondFactorAt, factorRequiredFrom, createdAt } = user;
  const givenAt = factorAt === null ? [] : linked.filter((identity) => identity.provider === provider);
  return { role, secondFactorAt, factorRequiredFrom, createdAt, givenAt };
};

const changedSessions = prepared((db) =>
  db
    .select({ hash: sql<string>`seen.hash` })
    // However many are in it, the database guesses the same number: it plans the question once, and not each time again.
    .from(sql`json_each_text(${sql.placeholder("seen")}::json) as seen (hash, version)`)
    // A sub-query for each, so that however many sessions there are it is one step through the index.
    .where(
      sql`(select ${rowVersions} from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
        where ${sessions.tokenHash} = seen.hash) is distinct from seen.version`,
    )
    .prepare("changed_sessions"),
);

/** The hashes of those of these sessions that are not as they were found: ended, used elsewhere, or their user changed. */
export const findChanged = async (
  db: Database,
  seen: Pick<StoredSession, "tokenHash" | "version">[],
): Promise<ReadonlySet<string>> => {
  const versions = Object.fromEntries(seen.map(({ tokenHash, version }) => [tokenHash, version]));
  const rows = await changedSessions(db).execute({ seen: JSON.stringify(versions) });
  return new Set(rows.map(({ hash }) => hash));
};

/**
 * Whether a user's session continues; it does until the transaction ends, because no one can end it before. Lock the
 * user's row first, as whoever ends sessions does.
 */
export const holdSession = async (
  tx: Database,
  { userId, tokenHash, now }: { userId: string; tokenHash: string; now: Date },
): Promise<boolean> => {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, tokenHash), eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .for("key share");
  return rows.length > 0;
};

/** A session that was used, and when it will end. */
export type SessionTouch = Pick<StoredSession, "tokenHash" | "lastUsedAt" | "expiresAt">;

/**
 * Notes that sessions were used, that their users were seen, and when the sessions will end. One that has ended in the meantime
 * stays ended. The user's row comes first, as for whoever ends sessions: the other way round the two could block each other. A user
 * whose row someone else holds is left out rather than waited for, because two such statements could wait for each other.
 */
export const touchSessions = async (db: Database, touches: SessionTouch[]): Promise<void> => {
  await db.execute(sql`
    with used as (
      select ${sessions.tokenHash} as hash, ${sessions.userId} as user_id, touch."lastUsedAt" as at, touch."expiresAt" as ends
      from json_to_recordset(${JSON.stringify(touches)}::json) as touch
        ("tokenHash" text, "lastUsedAt" timestamptz, "expiresAt" timestamptz)
      join ${sessions} on ${sessions.tokenHash} = touch."tokenHash"
    ), free as (
      select id from ${users} where id in (select user_id from used) for no key update skip locked
    ), seen as (
      update ${users} set last_seen_at = greatest(last_seen_at, (select max(at) from used where user_id = ${users.id}))
      where id in (select id from free) returning id
    )
    update ${sessions} set last_used_at = used.at, expires_at = used.ends
    from used join seen on seen.id = used.user_id where ${sessions.tokenHash} = used.hash`);
};

/** The part of a statement that notes when a user was last seen; servers whose clocks differ do not turn it back. */
const userSeen = (db: Database, userId: string, now: Date) =>
  db.$with("seen").as(
    db
      .update(users)
      .set({ lastSeenAt: sql`greatest(${users.lastSeenAt}, ${now.toISOString()})` })
      .where(eq(users.id, userId))
      .returning({ id: users.id }),
  );

/** Stores a session that begins now; its user was seen. */
export const insertSession = async (tx: Database, session: NewSession): Promise<void> => {
  await tx
    .with(userSeen(tx, session.userId, session.now))
    .insert(sessions)
    .values(toRow(session));
};

/** Hashes of the session that a new one takes the place of, and of the device that it begins on. */
type PutSession = { replaced: string | null; device: string | null };

// No token has this hash.
const none = "";

/**
 * Stores a session, ends the one that it replaces, and notes that its user was seen and the device used, if that is the
 * user's. One statement: each takes the server and the database more work than all together. Whose session ended, and whether the device
 * is the user's.
 */
export const putSession = async (tx: Database, session: NewSession, { replaced, device }: PutSession) => {
  const ended = tx.$with("ended").as(
    tx
      .delete(sessions)
      .where(eq(sessions.tokenHash, replaced ?? none))
      .returning({ userId: sessions.userId }),
  );
  const touched = tx.$with("touched").as(
    tx
      .update(knownDevices)
      .set({ failures: 0, lastUsedAt: session.now })
      .where(and(eq(knownDevices.tokenHash, device ?? none), eq(knownDevices.userId, session.userId)))
      .returning({ hash: knownDevices.tokenHash }),
  );
  const seen = userSeen(tx, session.userId, session.now);
  const [row] = await tx.with(ended, touched, seen).insert(sessions).values(toRow(session)).returning({
    endedUserId: sql<string | null>`(select user_id from ended)`,
    isKnownDevice: sql<boolean>`exists (select from touched)`,
  });
  if (!row) throw new Error("the session was not stored");
  return row;
};

const toRow = ({ now, ...session }: NewSession): SessionRow => ({
  ...session,
  createdAt: now,
  lastUsedAt: now,
});

/** What a confirmed session goes on with; `factorAt` is given when the second factor was, with the provider if it was there. */
export type Confirmation = Pick<
  SessionRow,
  "tokenHash" | "ip" | "userAgent" | "expiresAt" | "confirmedAt" | "lastUsedAt"
> & { factorAt?: Date } & Partial<Pick<SessionRow, "provider" | "providerSid">>;

/** Gives a session another token and notes when its user confirmed it; false when there is none with this hash. */
export const confirmSession = async (
  tx: Database,
  tokenHash: string,
  change: Confirmation,
): Promise<boolean> => {
  const rows = await tx
    .update(sessions)
    .set(change)
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ id: sessions.id });
  return rows.length > 0;
};

/** Makes a session count as one that began long ago, as far as proof is concerned; that a second factor was given then stays known. */
export const forgetConfirmation = async (db: Database, tokenHash: string): Promise<void> => {
  const longAgo = new Date(0);
  await db
    .update(sessions)
    .set({
      confirmedAt: longAgo,
      factorAt: sql`case when ${sessions.factorAt} is not null then ${longAgo.toISOString()}::timestamptz end`,
    })
    .where(eq(sessions.tokenHash, tokenHash));
};

/** Forgets that a user gave a second factor, which they no longer have, in any of their sessions. */
export const forgetFactor = async (tx: Database, userId: string): Promise<void> => {
  await tx.update(sessions).set({ factorAt: null }).where(eq(sessions.userId, userId));
};

/** Notes that the user of a session gave their second factor now. */
export const noteFactor = async (tx: Database, tokenHash: string, now: Date): Promise<void> => {
  await tx.update(sessions).set({ factorAt: now }).where(eq(sessions.tokenHash, tokenHash));
};

/** A session that was ended: whose, and through whom they had signed in. */
type EndedSession = Pick<SessionRow, "userId" | "provider" | "providerSid">;

/** Ends a session; `null` when there was none. Publish `sessions-ended` once it is committed. */
export const endSession = async (db: Database, tokenHash: string): Promise<EndedSession | null> => {
  const { userId, provider, providerSid } = sessions;
  const [row] = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ userId, provider, providerSid });
  return row ?? null;
};

/**
 * Ends one session of a user by its public id, which need not look like one; the hash of its token, or `null` when the
 * user has none with this id.
 */
export const endSessionById = async (db: Database, userId: string, id: string): Promise<string | null> => {
  const [row] = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), sql`${sessions.id}::text = ${id}`))
    .returning({ tokenHash: sessions.tokenHash });
  return row?.tokenHash ?? null;
};

/**
 * Ends the sessions of a user, but for the one with the hash `except`, and a change of address that waits, which a stranger may have
 * begun in one of them; resolves to how many sessions. The user's row is locked first: a sign-in that holds it has stored its
 * session by then, and one that comes later is later. Publish `sessions-ended` once it is committed.
 */
export const endSessionsOf = async (
  tx: Database,
  userId: string,
  { except = null }: { except?: string | null } = {},
): Promise<number> => {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  const waits = and(isNull(emailChanges.changedAt), isNull(emailChanges.endedAt));
  await tx.delete(emailChanges).where(and(eq(emailChanges.userId, userId), waits));
  const rows = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === null ? undefined : ne(sessions.tokenHash, except)))
    .returning({ id: sessions.id });
  return rows.length;
};

/** A provider's session, with `null` all that its user began there. */
type ProviderSessions = {
  provider: string;
  issuer: string;
  subject: string | null;
  sessionId: string | null;
};

/** Ends the sessions that began with a provider's; resolves to the users. Publish `sessions-ended` for each. */
export const endSessionsOfProvider = async (
  tx: Database,
  { provider, issuer, subject, sessionId }: ProviderSessions,
): Promise<string[]> => {
  const owner = tx
    .select({ id: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject ?? "")));
  // Not every provider that names its session here named it at the sign-in.
  const unnamed = subject === null ? undefined : isNull(sessions.providerSid);
  const rows = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.provider, provider),
        subject === null ? undefined : inArray(sessions.userId, owner),
        sessionId === null ? undefined : or(eq(sessions.providerSid, sessionId), unnamed),
      ),
    )
    .returning({ userId: sessions.userId });
  return [...new Set(rows.map(({ userId }) => userId))];
};

/** Whose sessions, when, and how long they last: see {@link sessionsOf}. */
type OpenSessions = { userId: string; now: Date; times: SessionTimes };

/** {@link sessionEnd} as a condition. */
const isOpen = ({ userId, now, times }: OpenSessions) =>
  and(
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, now),
    gt(sessions.lastUsedAt, new Date(now.getTime() - times.idleMs)),
    gt(sessions.createdAt, new Date(now.getTime() - times.mostMs)),
  );

/** How many sessions of a user have not ended. */
export const countSessions = (db: Database, which: OpenSessions): Promise<number> =>
  db.$count(sessions, isOpen(which));

/** The sessions of a user that have not ended, last used first, a hundred at most; `expiresAt` is when each will. */
export const listSessions = async (db: Database, which: OpenSessions): Promise<SessionRow[]> => {
  const rows = await db
    .select()
    .from(sessions)
    .where(isOpen(which))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .limit(limits.sessionsByUser);
  return rows.map((row) => ({ ...row, expiresAt: sessionEnd(row, which.times) }));
};

/**
 * Ends all sessions of each user but the hundred last used; resolves to the users whose sessions these were. Publish
 * `sessions-ended` for each.
 */
export const removeSurplusSessions = (db: Database): Promise<string[]> =>
  removeSurplus(db, sessions, limits.sessionsByUser);

/** Forgets all browsers of each user but the hundred last used. */
export const removeSurplusDevices = async (db: Database): Promise<void> => {
  await removeSurplus(db, knownDevices, limits.devicesByUser);
};

const removeSurplus = async (
  db: Database,
  table: typeof sessions | typeof knownDevices,
  kept: number,
): Promise<string[]> => {
  const { tokenHash, userId, lastUsedAt } = table;
  const crowded = db.select({ userId }).from(table).groupBy(userId).having(gt(count(), kept));
  const ranked = db
    .select({
      tokenHash,
      place:
        sql<number>`row_number() over (partition by ${userId} order by ${lastUsedAt} desc, ${tokenHash})`.as(
          "place",
        ),
    })
    .from(table)
    .where(inArray(userId, crowded))
    .as("ranked");
  const beyond = db.select({ tokenHash: ranked.tokenHash }).from(ranked).where(gt(ranked.place, kept));
  // Rows that someone is working on are left for the next time: waiting for them could end in a deadlock.
  const surplus = db
    .select({ tokenHash })
    .from(table)
    .where(inArray(tokenHash, beyond))
    .for("update", { skipLocked: true });
  const rows = await db.delete(table).where(sql`${tokenHash} in (${surplus})`).returning({ userId });
  return [...new Set(rows.map((row) => row.userId))];
};

/** Those of these sessions, by hash, that are an enabled admin's; the caller compares their end with the clock. */
export const findAdminSessions = async (
  db: Database,
  hashes: string[],
): Promise<{ session: SessionRow; factor: FactorState }[]> => {
  const rows = await db
    .select({ session: sessions, user: users, linked: identityFactors })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.tokenHash, hashes), eq(users.role, "admin"), isNull(users.disabledAt)));
  return rows.map(({ session, user, linked }) => ({ session, factor: factorStateOf(user, session, linked) }));
};
