import { type SQL, sql, TransactionRollbackError } from "drizzle-orm";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { activityChain } from "#api/db/schema/activity.ts";
import { hashRow } from "#api/modules/activity/chain-store.ts";
import { sealEnds } from "#api/modules/activity/draft.ts";
import { verifyActivity } from "#api/modules/activity/verify-activity.ts";
import { readPiece } from "#api/modules/activity/verify-store.ts";

/** What someone can do who owns the database, and what the proof finds then. */
export type TamperedLog = {
  /** Runs statements that no trigger hinders. */
  tamper(...statements: SQL[]): Promise<void>;
  /** Gives the rows from one number to another the hashes that follow from what they say. */
  rehash(from: number, to: number): Promise<void>;
  /** Seals the chain's ends as they are, with the key of `by`; with the installation's unless given. */
  reseal(by?: Pick<Context, "secrets">): Promise<void>;
  verify(input?: { after?: number; limit?: number }): ReturnType<typeof verifyActivity>;
  faultOf(): Promise<{ id: number; problem: string } | null>;
};

/** Lets `work` tamper with the activity log, and takes back what it did. */
export const tamperInVain = async (
  ctx: Context,
  work: (log: TamperedLog) => Promise<void>,
): Promise<void> => {
  await ctx.activity.settle();
  try {
    await ctx.db.transaction(async (tx) => {
      for (const table of ["activities", "activity_chain", "activity_inbox"])
        await tx.execute(sql.raw(`alter table ${table} disable trigger user`));
      await work(tamperedLog({ ...ctx, db: tx, activity: { ...ctx.activity, settle: async () => {} } }));
      tx.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
};

const tamperedLog = (ctx: Context): TamperedLog => {
  const tamper = async (...statements: SQL[]) => {
    for (const statement of statements) await ctx.db.execute(statement);
  };
  const verify: TamperedLog["verify"] = (input) => verifyActivity(ctx, { after: 0, limit: 20_000, ...input });
  return {
    tamper,
    verify,
    faultOf: async () => (await verify()).fault,
    rehash: async (from, to) => {
      for (let id = from; id <= to; id += 1) {
        const hash = await hashThatFollows(ctx.db, id);
        await tamper(sql`update activities set hash = decode(${hash}, 'hex') where id = ${id}`);
      }
    },
    reseal: async ({ secrets } = ctx) => {
      const [chain] = await ctx.db.select().from(activityChain);
      if (!chain) throw new Error("there is no chain");
      await tamper(sql`update activity_chain set seal = decode(${sealEnds(secrets, chain).toHex()}, 'hex')`);
    },
  };
};

const hashThatFollows = async (db: Database, id: number): Promise<string> => {
  const piece = await readPiece(db, { after: id - 1, limit: 1 });
  const row = piece?.rows[0]?.row;
  if (!row || piece.startHash === null) throw new Error("there is no such row");
  return hashRow(Uint8Array.fromHex(piece.startHash), row).toHex();
};

/** Makes a row the end of the chain. */
export const endAt = (id: number): SQL =>
  sql`update activity_chain set head_id = ${id}, head_hash = (select hash from activities where id = ${id})`;

/** Adds a row beside the log's writer, made after another. */
export const forgedRow = (id: number, after: number): SQL => sql`
  insert into activities (id, kind_id, occurred_at, action, description, occurrences, hash)
  select ${id}, kind_id, occurred_at, 'Forged', '', 1, hash from activities where id = ${after}`;
