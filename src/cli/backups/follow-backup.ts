import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { VerifyReport } from "#api/backups/operator-backups.ts";
import type { BackupRun, StartBackupInput } from "#api/modules/backups/contract.ts";
import { type Client, openRunning, operationsOf } from "#cli/client/client.ts";
import { CliFailure, toFailure } from "#cli/failure.ts";
import { formatBytes, formatCount } from "#cli/terminal/format.ts";
import type { Progress } from "#cli/terminal/progress.ts";
import { saveFile } from "#cli/terminal/save-file.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";
import type { Invocation } from "../invocation.ts";
import { printable } from "../terminal/output.ts";

/** A backup that was made. */
type MadeBackup = BackupRun & { name: string };

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
      throw new CliFailure(
        "CONFLICT",
        "this backup was replaced by another one that started in the meantime",
      );
    if (run.state === "failed") throw new CliFailure("INTERNAL", `the backup failed: ${run.error ?? ""}`);
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

/** Where a backup is taken to: a file, or `-` for standard output; `relock` makes of its bytes what is written. */
type Taking = {
  out: string;
  relock: (bytes: AsyncIterable<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>;
  terminal: Terminal;
  ended: AbortSignal;
};

/** Brings a backup that waits in the data folder to where it was asked for, and removes it there. Resolves to its size. */
export const takeBackup = async (
  client: Client,
  made: MadeBackup,
  { out, relock, terminal, ended }: Taking,
): Promise<number> => {
  const backup = { place: "handover", name: made.name } as const;
  try {
    const bytes = await relock(whole(await client.receive("backups.download", backup, ended), made));
    return out === "-" ? await printed(terminal, bytes) : await saveFile(out, bytes, { isNew: true });
  } finally {
    // What stays is removed before the next one is made.
    await operationsOf(client)
      .backups.remove(backup)
      .catch(() => {});
  }
};

/** The bytes, which fail at their end when they are not what was made. */
async function* whole(bytes: AsyncIterable<Uint8Array>, made: MadeBackup): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== made.sha256)
    throw new CliFailure("UNREACHABLE", "the backup was not received completely; run this command again");
}

const printed = async (terminal: Terminal, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    if (!terminal.outBytes(chunk)) throw new CliFailure("UNWRITABLE", "standard output was closed");
    sizeBytes += chunk.byteLength;
  }
  return sizeBytes;
};

/**
 * Has the running server record the result of a trial restore. Without one nothing is recorded: to open an
 * installation may change its database, which was not requested.
 */
export const noteProof = async (
  { composition, output, args }: Pick<Invocation, "composition" | "output" | "args">,
  { manifest, isSound }: VerifyReport,
): Promise<void> => {
  const [file = "-"] = args;
  const found = {
    name: file === "-" ? "standard input" : basename(file).slice(0, 200),
    madeAt: manifest.createdAt,
    keyFingerprint: manifest.keyFingerprint,
    isSound,
  };
  try {
    const client = await openRunning(composition, null);
    if (client !== null) await operationsOf(client).backups.prove(found).finally(client.close);
  } catch (error) {
    // What was found counts without it.
    output.note(`the server could not record this verification: ${printable(toFailure(error).message)}`);
  }
};
