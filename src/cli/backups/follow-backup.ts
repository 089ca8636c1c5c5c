import type { BackupRun, StartBackupInput } from "#api/modules/backups/contract.ts";
import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes, formatCount } from "#cli/format.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import type { Progress } from "#cli/progress.ts";

/** A backup that was made. */
export type MadeBackup = BackupRun & { name: string };

const askEveryMs = 250;

/**
 * Begins a backup and waits for its end, telling how far it is; `ended` has the server cancel it. Throws why it could not
 * be made.
 */
export const followBackup = async (
  client: Client,
  order: StartBackupInput,
  { progress, ended }: { progress: Progress; ended: AbortSignal },
): Promise<MadeBackup> => {
  const startedAtMs = performance.now();
  const { backups } = operationsOf(client);
  const { data: begun } = await backups.create(order);
  for (;;) {
    const { data: run } = await backups.progress();
    if (run === null || run.id !== begun.id)
      throw new CliFailure("CONFLICT", "another backup was begun meanwhile; this one is gone");
    if (run.state === "failed") throw new CliFailure("INTERNAL", `no backup was made: ${run.error ?? ""}`);
    if (run.state === "done" && run.name !== null) return { ...run, name: run.name };
    if (ended.aborted) {
      if (await isCancelled(client)) throw ended.reason;
      continue;
    }
    progress.show(() => progressText(run, performance.now() - startedAtMs));
    await Bun.sleep(askEveryMs);
  }
};

/** Has the server cancel what it makes; `false` when that is over meanwhile, and its end tells what became of it. */
const isCancelled = async (client: Client): Promise<boolean> => {
  try {
    await operationsOf(client).backups.cancel();
    return true;
  } catch (error) {
    // A server that does not answer any more makes nothing either.
    return !(error instanceof CliFailure && error.kind === "CONFLICT");
  }
};

/** How far a making or a load has come: rows, bytes, and bytes a second. */
export const progressText = (
  {
    stage,
    table,
    rows,
    readBytes,
  }: { stage?: string; table: string | null; rows: number; readBytes: number },
  tookMs: number,
): string => {
  if (stage === "copying") return "copying the database";
  const rate = formatBytes(readBytes / Math.max(0.001, tookMs / 1000));
  return `${formatCount(rows)} rows, ${formatBytes(readBytes)}, ${rate}/s  ${table ?? ""}`;
};
