import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordByOperator } from "#api/backups/record-by-operator.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { databaseError } from "#api/db/errors.ts";
import { migrate } from "#api/db/migrate.ts";
import { TransferError } from "#api/db/transfer/errors.ts";
import { abandonLoad, beginLoad, finishLoad, type Load } from "#api/db/transfer/load-tables.ts";
import { removeMovedNote, writeMovedNote } from "#api/db/transfer/moved-note.ts";
import { copyTables } from "./copy-tables.ts";
import type { MoveParts, MovePlan, MoveReport, MoveWatch } from "./move-parts.ts";
import { lookAtMove } from "./plan-move.ts";
import { proveInstallation } from "./prove-installation.ts";

/** What a move needs besides the databases. */
export type MoveInput = MoveWatch & { clock: Clock; log: Log };

/**
 * Brings everything in the embedded database to a PostgreSQL server, and proves that it arrived. From then on a note in the
 * data folder keeps the embedded database from being used; nothing else there is changed. When anything fails, the target
 * is emptied if it can be reached, and else refuses to be used until the move is begun anew. Throws `TransferError`, the signal's
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
    // A server that is away cannot be emptied; the note in it says how to go on.
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
  return new TransferError(`The move broke off: ${words}`, { cause: error });
};

const howToGoOn =
  "Run `atrium migrate embedded-to-postgres` again: it removes what is there and begins anew. The embedded database that it came from is as it was";

type Bring = MoveInput & { plan: MovePlan; load: Load; begun: number };

const bring = async (
  { source, target, to, dataDir, box }: MoveParts,
  { clock, log, onProgress, ended, plan, load, begun }: Bring,
): Promise<MoveReport> => {
  const done = { rows: 0, tableRows: 0, table: "" };
  const progress = (step: string, table: string | null) =>
    onProgress({ step, table, tableRows: done.tableRows, rows: done.rows, totalRows: plan.rows });
  const expected = await copyTables({
    source,
    target,
    load,
    ended,
    onPart: (part) => {
      if (!load.tables.some(({ name }) => name === part.table)) return;
      done.tableRows = (part.table === done.table ? done.tableRows : 0) + part.rows;
      done.table = part.table;
      done.rows += part.rows;
      progress("copying", part.table);
    },
  });
  const copiedMs = performance.now() - begun;
  let checked = 0;
  const { tables, rows } = await finishLoad(target, load, {
    expected,
    onStep: (step) => {
      ended.throwIfAborted();
      progress(step, null);
    },
    prove: async () => {
      // Before the proof, which gives it its place in the log and proves it too.
      const entry = { action: "Moved to PostgreSQL", description: describe(plan) };
      await target.db.transaction((tx) => recordByOperator(tx, { box, clock, log, entry }));
      checked = await proveInstallation({
        db: target.db,
        box,
        clock,
        log,
        onProgress: (proven) => {
          ended.throwIfAborted();
          progress(`proving the activity log (${proven} activities)`, null);
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
    rowsPerSecond: Math.round((rows / Math.max(1, copiedMs)) * 1000),
    keep: stillNeeded.filter((name) => existsSync(join(dataDir, name))),
  };
};

const describe = ({ from, to, rows }: MovePlan): string =>
  `Moved ${rows} rows from the embedded database in ${from.dataDir} to ${to.address} (PostgreSQL ${to.version})`;

/** What no database holds: without the key nobody can open what is sealed in it. */
const stillNeeded = ["app.key"];
