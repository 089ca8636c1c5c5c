import type { Command } from "commander";
import type { StartBackupInput } from "#api/modules/backups/contract.ts";
import { followBackup, takeBackup } from "#cli/backups/follow-backup.ts";
import { operationsOf } from "#cli/client/client.ts";
import { usage } from "#cli/failure.ts";
import {
  type Cli,
  examples,
  type GlobalOptions,
  handler,
  type Invocation,
  withClient,
} from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { collected } from "#cli/operations/typed-values.ts";
import { Planned, planOption, stepsOf } from "#cli/planned.ts";
import { formatBytes, formatCount } from "#cli/terminal/format.ts";
import { createProgress } from "#cli/terminal/progress.ts";
import { refuseExisting } from "#cli/terminal/save-file.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { newPassphrase } from "../../backups/restore-source.ts";

type BackupOptions = GlobalOptions & {
  out?: string;
  toStorage?: true;
  keep?: true;
  encrypt?: true;
  passphraseStdin?: true;
  recipient?: string[];
  includeKey?: true;
};

/** `backup` and the commands below it. */
export const addBackupCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "backups");
  group
    .option("--out <file>", 'write it to this new file, completely or not at all; "-" is standard output')
    .option("--to-storage", "store it in the configured object storage")
    .option("--keep", "store it in the data folder; `backup list` shows it")
    .option("--encrypt", "encrypt it with a passphrase, which you are asked for")
    .option("--passphrase-stdin", "encrypt it with a passphrase read from standard input")
    .option("--recipient <age1…>", "encrypt it for an age recipient; can be repeated", collected)
    .option("--include-key", "include the installation's key; the backup must be encrypted")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["To a file that only you can read", "atrium backup --out atrium.tar.zst"],
        ["With everything a new machine needs", "atrium backup --include-key --out atrium.tar.zst.age"],
        ["Every night, for the holder of the identity", "atrium backup --recipient age1… --to-storage"],
        ["To another machine", "atrium backup --out - | ssh backup@vault 'cat > atrium.tar.zst'"],
      ),
    )
    .action(
      handler<BackupOptions>(cli, async (invocation, options) => {
        await invocation.terminal.interruptible(
          (ended) => backUp(invocation, options, ended),
          "canceled; no backup was created",
        );
      }),
    );
  addOperations(group, cli, "backups");
};

const backUp = async (invocation: Invocation, options: BackupOptions, ended: AbortSignal): Promise<void> => {
  const { terminal, output, composition } = invocation;
  refuseOddOptions(options, terminal.isOutputTerminal);
  const { out, recipient: recipients, includeKey = false } = options;
  if (out !== undefined && out !== "-") await refuseExisting(out);
  // A passphrase from the environment is only for files: the server could not decrypt a stored backup.
  const passphrase =
    out === undefined || recipients !== undefined || invocation.isPlan
      ? null
      : await newPassphrase(terminal, {
          isFromInput: options.passphraseStdin === true,
          mayAsk: options.encrypt === true || includeKey,
        });
  const tools = passphrase === null ? null : await composition.backups();
  // The server never learns the passphrase: it encrypts for an identity that lives as long as this command.
  const identity = tools === null ? null : await tools.newIdentity();
  const progress = createProgress(terminal, { isBesideResults: out === "-" });
  await withClient(invocation, async (client) => {
    const body: StartBackupInput = {
      place: placeOf(options),
      ...(recipients === undefined ? {} : { recipients }),
      ...(identity === null ? {} : { recipients: [identity.recipient] }),
      // What goes to a file is locked as it is asked for here, whatever the schedule does.
      ...(out !== undefined && recipients === undefined && identity === null ? { recipients: [] } : {}),
      // The server takes it only along with a recipient, and a plan asks for no passphrase.
      ...(includeKey && !(invocation.isPlan && recipients === undefined) ? { includeKey } : {}),
    };
    if (invocation.isPlan)
      throw await planOf(invocation, options, () => operationsOf(client).backups.create(body));
    const made = await followBackup(client, body, { progress, ended }).finally(progress.end);
    const relock = async (bytes: AsyncIterable<Uint8Array>) =>
      tools === null || identity === null || passphrase === null
        ? bytes
        : tools.relock(bytes, { identity: identity.identity, passphrase });
    const sizeBytes =
      out === undefined
        ? (made.sizeBytes ?? 0)
        : await takeBackup(client, made, { out, relock, terminal, ended });
    const file = out ?? made.name;
    const result = { file, place: out === undefined ? made.place : "file", rows: made.rows, sizeBytes };
    const text = `Backed up ${formatCount(made.rows)} rows, ${formatBytes(sizeBytes)}, to ${out ?? `${made.place}: ${made.name}`}`;
    if (out === "-") output.note(text);
    else output.result(result, () => text);
  });
};

/**
 * What would be made. Of one that goes to a file the server learns neither which that is nor the passphrase: of those the
 * command tells itself, once nothing stands against the call. Throws what stands against it.
 */
const planOf = async (
  { terminal }: Invocation,
  { out, recipient, includeKey, encrypt, passphraseStdin }: BackupOptions,
  call: () => Promise<unknown>,
): Promise<Planned> => {
  const steps = await stepsOf(call);
  if (out === undefined) return new Planned(...steps);
  const hasPassphrase = async (): Promise<boolean> =>
    [encrypt, includeKey, passphraseStdin].includes(true) ||
    (await newPassphrase(terminal, { isFromInput: false, mayAsk: false })) !== null;
  const isLocked = recipient === undefined && (await hasPassphrase());
  const words = backupTexts.wouldBackUp({
    goal: out === "-" ? "standard output" : `the file ${out}`,
    lock: isLocked ? "encrypted with a passphrase" : lockOf(recipient ?? []),
    hasKey: includeKey === true,
  });
  return new Planned(...steps.map((step) => ({ ...step, words })));
};

const lockOf = (recipients: readonly string[]): string =>
  recipients.length === 0 ? "not encrypted" : `encrypted for ${recipients.join(", ")}`;

const placeOf = ({ out, toStorage }: BackupOptions): "handover" | "storage" | "folder" => {
  if (out !== undefined) return "handover";
  return toStorage ? "storage" : "folder";
};

const refuseOddOptions = (options: BackupOptions, isOutputTerminal: boolean): void => {
  const { out, toStorage, keep, recipient, includeKey, encrypt, passphraseStdin, url } = options;
  if ([out !== undefined, toStorage === true, keep === true].filter(Boolean).length !== 1)
    throw usage("choose where the backup goes: --out FILE, --to-storage or --keep");
  if (out === "-" && isOutputTerminal)
    throw usage("a backup can't be shown on a terminal; redirect standard output, or use --out FILE");
  if (recipient !== undefined && (encrypt || passphraseStdin))
    throw usage("use either a recipient or a passphrase, not both");
  if (out === undefined && recipient === undefined && (encrypt || passphraseStdin || includeKey))
    throw usage("a backup stored by the server can only be encrypted for an age recipient; add --recipient");
  if (includeKey && url !== undefined)
    throw usage("--include-key only works on the server's own machine; remove --url");
};
