import { createHash } from "node:crypto";
import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { saveFile } from "#cli/save-file.ts";
import type { Terminal } from "#cli/terminal.ts";
import type { MadeBackup } from "./follow-backup.ts";

/** Where a backup is taken to: a file, or `-` for standard output; `relock` makes of its bytes what is written. */
export type Taking = {
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
    throw new CliFailure("UNREACHABLE", "the backup did not arrive whole; run this again");
}

const printed = async (terminal: Terminal, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    if (!terminal.outBytes(chunk))
      throw new CliFailure("UNWRITABLE", "nobody reads standard output any more");
    sizeBytes += chunk.byteLength;
  }
  return sizeBytes;
};
