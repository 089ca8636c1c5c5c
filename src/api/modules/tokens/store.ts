import { and, desc, eq, gt, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import { toUser } from "#api/core/actor.ts";
import type { Database } from "#api/core/database.ts";
import { isId } from "#api/core/ids.ts";
import type { FactorState } from "#api/core/password-policy.ts";
import { lockName } from "#api/db/data-folder.ts";
import { prepared } from "#api/db/prepared.ts";
import { apiTokens, users } from "#api/db/schema.ts";
import { type IdentityFactor, identityFactors, type UserRow, userColumns } from "#api/db/user-rows.ts";
import type { User } from "#contract/users.ts";

/** A row of the table of tokens. */
export type TokenRow = typeof apiTokens.$inferSelect;

/** A token and whom it acts for; `isOwnerActive` is whether they still are an enabled administrator. */
export type OwnedToken = { row: TokenRow; owner: User | null; isOwnerActive: boolean };

/** A token as it is looked up at a call. `version` is another one after each change of its row or of its owner's. */
export type StoredToken = OwnedToken & {
  tokenHash: string;
  version: string;
  /** What decides whether the owner has to set up a second factor; `null` without an owner. */
  ownersFactor: FactorState | null;
};

const owned = (row: TokenRow, owner: UserRow | null): OwnedToken => ({
  row,
  owner: owner === null ? null : toUser(owner),
  isOwnerActive: row.createdBy === null || (owner?.role === "admin" && owner.disabledAt === null),
});

/** The transactions that last wrote the two rows. Source: PostgreSQL's documentation, 5.6 "System Columns". */
const rowVersions = sql<string>`${apiTokens}.xmin::text || ' ' || coalesce(${users}.xmin::text, '')`;

const tokenByHash = prepared((db) =>
  db
    .select({ row: apiTokens, owner: userColumns, linked: identityFactors, version: rowVersions })
    .from(apiTokens)
    .leftJoin(users, eq(users.id, apiTokens.createdBy))
    .where(eq(apiTokens.tokenHash, sql.placeholder("tokenHash")))
    .prepare("token_by_hash"),
);

/** The token with this hash, dead or alive, or `null`. */
export const findToken = async (db: Database, tokenHash: string): Promise<StoredToken | null> => {
  const [found] = await tokenByHash(db).execute({ tokenHash });
  if (!found) return null;
  const { row, owner, linked, version } = found;
  return { ...owned(row, owner), ownersFactor: owner && factorOf(owner, linked), tokenHash, version };
};

const factorOf = (owner: Omit<FactorState, "givenAt">, linked: IdentityFactor[]): FactorState => ({
  ...owner,
  givenAt: linked.filter(({ hasFactor }) => hasFactor),
});

const changedTokens = prepared((db) =>
  db
    .select({ hash: sql<string>`seen.hash` })
    .from(sql`json_each_text(${sql.placeholder("seen")}::json) as seen (hash, version)`)
    .where(
      sql`(select ${rowVersions} from ${apiTokens} left join ${users} on ${users.id} = ${apiTokens.createdBy}
        where ${apiTokens.tokenHash} = seen.hash) is distinct from seen.version`,
    )
    .prepare("changed_tokens"),
);

/** The hashes of those of these tokens that are not as they were found: revoked, changed, used elsewhere, or their owner changed. */
export const findChangedTokens = async (
  db: Database,
  seen: Pick<StoredToken, "tokenHash" | "version">[],
): Promise<ReadonlySet<string>> => {
  const versions = Object.fromEntries(seen.map(({ tokenHash, version }) => [tokenHash, version]));
  const rows = await changedTokens(db).execute({ seen: JSON.stringify(versions) });
  return new Set(rows.map(({ hash }) => hash));
};

/** Notes that a token was used; servers whose clocks differ do not turn it back. */
export const touchToken = async (db: Database, id: string, now: Date, ip: string): Promise<void> => {
  await db
    .update(apiTokens)
    .set({ lastUsedAt: sql`greatest(${apiTokens.lastUsedAt}, ${now.toISOString()})`, lastUsedIp: ip })
    .where(eq(apiTokens.id, id));
};

const isLive = (now: Date) =>
  and(isNull(apiTokens.revokedAt), or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)));

/** Those of these tokens, by id, that can be used unless their owners have to set up a second factor first. */
export const findLiveTokens = async (
  db: Database,
  ids: string[],
  now: Date,
): Promise<{ id: string; ownersFactor: FactorState | null }[]> => {
  const isOwnerActive = or(
    isNull(apiTokens.createdBy),
    and(eq(users.role, "admin"), isNull(users.disabledAt)),
  );
  const rows = await db
    .select({ id: apiTokens.id, owner: users, linked: identityFactors })
    .from(apiTokens)
    .leftJoin(users, eq(users.id, apiTokens.createdBy))
    .where(and(inArray(apiTokens.id, ids), isLive(now), isOwnerActive));
  return rows.map(({ id, owner, linked }) => ({ id, ownersFactor: owner && factorOf(owner, linked) }));
};

/** Keeps others from making and changing tokens until the transaction ends; they can be read and used meanwhile. */
export const lockTokens = async (tx: Database): Promise<void> => {
  // Names and numbers are about all rows together. A lock on the table would keep the noting of uses waiting.
  await lockName(tx, "api_tokens");
};

/** All tokens, the newest first. */
export const selectTokens = async (db: Database): Promise<OwnedToken[]> => {
  const rows = await db
    .select({ row: apiTokens, owner: userColumns })
    .from(apiTokens)
    .leftJoin(users, eq(users.id, apiTokens.createdBy))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));
  return rows.map(({ row, owner }) => owned(row, owner));
};

/** The token with this id, which need not look like one, or `null`. */
export const findTokenById = async (db: Database, id: string): Promise<OwnedToken | null> => {
  if (!isId(id)) return null;
  const [found] = await db
    .select({ row: apiTokens, owner: userColumns })
    .from(apiTokens)
    .leftJoin(users, eq(users.id, apiTokens.createdBy))
    .where(eq(apiTokens.id, id));
  return found ? owned(found.row, found.owner) : null;
};

/** How many tokens can be used, and whether one of them, other than `except`, has this name in any case. */
export const countLive = async (
  tx: Database,
  { name, except, now }: { name: string; except: string | null; now: Date },
): Promise<{ live: number; isNameTaken: boolean }> => {
  const others = except === null ? undefined : ne(apiTokens.id, except);
  const rows = await tx
    .select({ name: apiTokens.name })
    .from(apiTokens)
    .where(and(isLive(now), others));
  const key = name.toLowerCase();
  return { live: rows.length, isNameTaken: rows.some((row) => row.name.toLowerCase() === key) };
};

/** Stores a token. */
export const insertToken = async (tx: Database, row: TokenRow): Promise<void> => {
  await tx.insert(apiTokens).values(row);
};

/** Changes what is named of a token. */
export const updateToken = async (
  tx: Database,
  id: string,
  change: Partial<Pick<TokenRow, "name" | "allowedNetworks" | "callsPerMinute" | "revokedAt">>,
): Promise<void> => {
  await tx.update(apiTokens).set(change).where(eq(apiTokens.id, id));
};

/** Revokes all tokens that a user made and that are not revoked yet. Resolves to how many those were. */
export const revokeTokensOf = async (tx: Database, userId: string, now: Date): Promise<number> => {
  const rows = await tx
    .update(apiTokens)
    .set({ revokedAt: now })
    .where(and(eq(apiTokens.createdBy, userId), isNull(apiTokens.revokedAt)))
    .returning({ id: apiTokens.id });
  return rows.length;
};

/** Removes a token permanently. */
export const deleteToken = async (tx: Database, id: string): Promise<void> => {
  await tx.delete(apiTokens).where(eq(apiTokens.id, id));
};

/** Removes the oldest of the tokens that can no longer be used, but for the newest `keep` of them. */
export const removeSurplusTokens = async (tx: Database, keep: number, now: Date): Promise<void> => {
  const dead = tx
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(or(lte(apiTokens.expiresAt, now), sql`${apiTokens.revokedAt} is not null`))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
    .offset(keep);
  await tx.delete(apiTokens).where(inArray(apiTokens.id, dead));
};
