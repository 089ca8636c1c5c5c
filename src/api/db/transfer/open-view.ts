import type { Database } from "#api/core/database.ts";
import { exactTexts } from "./exact-texts.ts";
import type { TransferDatabase } from "./parts.ts";

/** A look at a database that does not change while it is open. */
export type View = {
  read<T>(work: (tx: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * Opens a view. PostgreSQL keeps one moment for it, in a transaction that lasts until it is closed. The embedded database
 * ends a transaction that rests, and nobody else writes to it: there each read is its own.
 */
export const openView = ({ db, kind }: TransferDatabase): Promise<View> =>
  kind === "postgres" ? oneMoment(db) : Promise.resolve(eachRead(db));

const eachRead = (db: Database): View => ({
  read: (work) =>
    db.transaction(async (tx) => {
      await exactTexts(tx);
      return work(tx);
    }),
  close: async () => {},
});

const oneMoment = async (db: Database): Promise<View> => {
  const opened = Promise.withResolvers<Database>();
  const closing = Promise.withResolvers<void>();
  const ended = db.transaction(
    async (tx) => {
      await exactTexts(tx);
      // Whoever takes the parts may need his time for each.
      await tx.execute("set local idle_in_transaction_session_timeout = 0");
      await tx.execute("set local statement_timeout = 0");
      opened.resolve(tx);
      await closing.promise;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  // Before it is open its failure is the opening's; afterwards each read hears of it.
  ended.catch(opened.reject);
  const tx = await opened.promise;
  return {
    read: (work) => work(tx),
    close: async () => {
      closing.resolve();
      await ended.catch(() => {});
    },
  };
};
