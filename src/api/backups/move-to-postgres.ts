import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { Log } from "#api/core/log.ts";
import { databaseError } from "#api/db/errors.ts";
import { keyOfKeyCheck } from "#api/db/key-check.ts";
import { migrate } from "#api/db/migrate.ts";
import { abandonLoad, beginLoad, type Load } from "#api/db/transfer/load-tables.ts";
import { removeMovedNote, TransferError, writeMovedNote } from "#api/db/transfer/moved-note.ts";
import { dumpInstallation } from "./dump.ts";
import { loadDump } from "./load.ts";
import { lookAtMove, type MoveParts, type MovePlan } from "./plan-move.ts";
import { recordByOperator } from "./settle-restored.ts";
import { type LogProofParts, proveLog, provingText } from "./verify-backup.ts";

/** How far a move has come. `table` is `null` once all rows have arrived; `step` says what is done. */
export type MoveProgress = {
  step: string;
  table: string | null;
  tableRows: number;
  rows: number;
  totalRows: number;
};

/** What a move did. `checked` are the activities whose chain was proven. */
export type MoveReport = {
  to: string;
  version: string;
  tables: { table: string; rows: number }[];
  rows: number;
  checked: number;
  durationMs: number;
  rowsPerSecond: number;
  /** What stays in the data folder and is still needed. */
  keep: string[];
};

/** Who watches a move, and how it is ended. */
export type MoveWatch = {
  /** Hears once what will be done, before it is. */
  onPlan: (plan: MovePlan) => void;
  onProgress: (progress: MoveProgress) => void;
  /** Hears of a move that failed or was ended after it had begun, and whether the target could be emptied again. */
  onBroken: (isEmptied: boolean) => void;
  /** Once aborted the target is emptied again, and the move rejects with the signal's reason. */
  ended: AbortSignal;
};

/** What a move needs besides the databases. */
type MoveInput = MoveWatch & { clock: Clock; log: Log };

/**
 * Brings everything in the embedded database to a PostgreSQL server, and proves that it arrived. From then on a note in the
 * data folder keeps the embedded database from being used; nothing else there is changed. When anything fails, the target
 * is emptied if it can be reached, and else refuses to be used until the move is begun again. Throws `TransferError`, the signal's
 * reason, what {@link lookAtMove} says against it, and what the databases say.
 */
export const moveToPostgres = async (parts: MoveParts, input: MoveInput): Promise<MoveReport> => {
  const { target } = parts;
  const begun = performance.now();
  const { plan, refusal } = await lookAtMove(parts);
  if (refusal !== null) throw refusal;
  input.onPlan(plan);
  input.ended.throwIfAborted();
  await migrate(target);
  const load = await beginLoad(target, { how: howToGoOn });
  // The plan allows a note of the load alone that has just been replaced, and which can never be finished from now on.
  removeMovedNote(parts.dataDir);
  try {
    return await bring(parts, { ...input, plan, load, begun });
  } catch (error) {
    // A server that is away cannot be emptied; the note in it says how to continue.
    const isEmptied = await abandonLoad(target, load).catch(() => false);
    if (isEmptied) removeMovedNote(parts.dataDir);
    input.onBroken(isEmptied);
    throw reasonOf(error) ?? error;
  }
};

/** What a failure of a database means for a move. */
const reasonOf = (error: unknown): TransferError | null => {
  const reason = databaseError(error);
  if (reason === null) return null;
  const words =
    reason.kind === "STORAGE_FULL" ? "the target's disk is full" : "the connection to a database was lost";
  return new TransferError(`The move failed: ${words}`, { cause: error });
};

const howToGoOn =
  "Run `atrium migrate embedded-to-postgres` again: it removes what was copied and starts over. The embedded database is unchanged";

type Bring = MoveInput & { plan: MovePlan; load: Load; begun: number };

/** Pipes a dump of the one into the other, and proves what arrived. */
const bring = async (
  { source, target, to, dataDir, box }: MoveParts,
  { clock, log, onProgress, ended, plan, load, begun }: Bring,
): Promise<MoveReport> => {
  const done: MoveProgress = { step: "copying", table: null, tableRows: 0, rows: 0, totalRows: plan.rows };
  const tell = (now: Partial<MoveProgress>): void => onProgress({ ...Object.assign(done, now) });
  let copiedMs: number | null = null;
  let checked = 0;
  // What lies in a bucket stays there.
  const dump = await dumpInstallation({ handle: source, clock, key: null });
  const { tables, rows } = await loadDump({
    target,
    load,
    dump,
    onProgress: (now) => {
      ended.throwIfAborted();
      if (now.step !== null) {
        copiedMs ??= performance.now() - begun;
        tell({ step: now.step, table: null });
      } else if (dump.manifest.tables.includes(now.table)) {
        const before = now.table === done.table ? done.tableRows : 0;
        tell({ table: now.table, tableRows: before + now.rows - done.rows, rows: now.rows });
      }
    },
    prove: async () => {
      // Before the proof, which gives it its place in the log and proves it too.
      const entry = { action: "Moved to PostgreSQL", description: describe(plan) };
      await target.db.transaction((tx) => recordByOperator(tx, { box, clock, log, entry }));
      checked = await prove(target.db, {
        box,
        clock,
        log,
        onProgress: (proven) => {
          ended.throwIfAborted();
          tell({ step: provingText(proven), table: null });
        },
      });
      // Before the target counts as an installation: there is no moment at which both could be used.
      const movedAt = clock.now().toISOString();
      writeMovedNote(dataDir, { movedAt, to, version: plan.to.version, rows: plan.rows, load: load.id });
    },
  });
  return {
    to,
    version: plan.to.version,
    tables,
    rows,
    checked,
    durationMs: Math.round(performance.now() - begun),
    rowsPerSecond: Math.round((rows / Math.max(1, copiedMs ?? 0)) * 1000),
    keep: stillNeeded.filter((name) => existsSync(join(dataDir, name))),
  };
};

/**
 * Proves that what arrived is a whole installation of this key: its secrets can be opened, and the chain of the activity log
 * is unbroken. Resolves to the number of activities; throws `TransferError` with what is wrong.
 */
const prove = async (db: Database, parts: LogProofParts & { box: SecretBox }): Promise<number> => {
  if ((await keyOfKeyCheck(db, parts.box)) === "unknown")
    throw new TransferError(`The secrets in the data can't be decrypted with key ${parts.box.fingerprint}`);
  const { checked, fault } = await proveLog(db, parts);
  if (fault !== null) throw new TransferError(`The activity log is incomplete: ${fault}`);
  return checked;
};

const describe = ({ from, to, rows }: MovePlan): string =>
  `Moved ${rows} rows from the embedded database in ${from.dataDir} to ${to.address} (PostgreSQL ${to.version})`;

/** What no database holds: without the key no one can open what is sealed in it. */
const stillNeeded = ["app.key"];
