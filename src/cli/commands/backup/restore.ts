import { join } from "node:path";
import type { Command } from "commander";
import { noteProof, progressText } from "#cli/backups/follow-backup.ts";
import {
  bytesOf,
  checkSource,
  identitiesIn,
  passphraseFor,
  type Source,
  withStoredBackup,
} from "#cli/backups/restore-source.ts";
import { needsAppSecret, planText, restoreGoal, restoreText, verifyText } from "#cli/backups/restore-text.ts";
import { isServerRunning } from "#cli/client/transport.ts";
import type { Composition } from "#cli/composition.ts";
import { CliFailure, stopIt, usage } from "#cli/failure.ts";
import { type Cli, examples, type GlobalOptions, type Invocation, localHandler } from "#cli/invocation.ts";
import { createProgress } from "#cli/terminal/progress.ts";
import { bytesUntilEnded, nothingChanged } from "#cli/terminal/stop-signal.ts";

type RestoreOptions = GlobalOptions & {
  plan?: true;
  verify?: true;
  dropSecrets?: true;
  replace?: true;
  fromStorage?: true;
  bucket?: string;
  identity?: string;
  passphraseStdin?: true;
};

/** `restore`: puts a backup in the installation's place, or shows or proves what is in it. */
export const addRestoreCommand = (program: Command, cli: Cli): void => {
  program
    .command("restore")
    .summary("restore a backup, or verify that it can be restored")
    .argument("<backup>", 'file of the backup, "-" for standard input, or with --from-storage its name')
    .description(
      "Replaces the installation with a backup, or creates one from it, completely or not at all. The server " +
        "must be stopped; while it runs, the command ends with 75. A replaced embedded database is kept next to the new one; " +
        "a PostgreSQL database is first backed up to the data folder. All sessions end and emailed links expire. If the " +
        "key differs from the backup's, nothing is restored and the command says what to do. Asks first.",
    )
    .option("--plan", "show what the backup contains and what a restore would do, without changing anything")
    .option("--verify", "restore it to a temporary database and compare, without changing anything")
    .option(
      "--drop-secrets",
      "restore without the stored secrets if their key is lost; lists what to enter again",
    )
    .option("--replace", "with PostgreSQL: don't back up the current data first")
    .option("--from-storage", "the backup is in object storage, under the name shown by `backup list`")
    .option("--bucket <url>", "the bucket, as `https://endpoint/bucket`, if none is configured")
    .option("--identity <file>", "file with the age identity that decrypts the backup")
    .option("--passphrase-stdin", "read the backup's passphrase from standard input")
    .addHelpText(
      "after",
      examples(
        ["Verify a backup without changing anything", "atrium restore atrium.tar.zst --verify"],
        ["Restore it", "atrium restore atrium.tar.zst --yes"],
        [
          "From the configured object storage",
          "atrium restore atrium-20261121T030000Z-0a1b2c.tar.zst --from-storage --yes",
        ],
      ),
    )
    .action(
      localHandler<RestoreOptions>(cli, async (invocation, options) => {
        if (options.plan && options.verify) throw usage("use either --plan or --verify, not both");
        const [file = ""] = invocation.args;
        if (options.fromStorage === true || options.bucket !== undefined) {
          const isOnlyRead = options.plan === true || options.verify === true;
          const stored = { name: file, bucket: options.bucket, isOnlyRead };
          await withStoredBackup(invocation, stored, (bytes) => restore(invocation, options, { bytes }));
        } else await restore(invocation, options, { file });
      }),
    );
};

type Tools = Awaited<ReturnType<Composition["backups"]>>;
type Input = Parameters<Tools["verify"]>[0];

const restore = async (invocation: Invocation, options: RestoreOptions, source: Source): Promise<void> => {
  const { terminal, output, composition, confirm } = invocation;
  const sizeBytes = await checkSource(source);
  const tools = await composition.backups();
  const progress = createProgress(terminal);
  const startedAtMs = performance.now();
  const keys = {
    ...(/\.age$/i.test(invocation.args[0] ?? "") ? { isNamedEncrypted: true } : {}),
    identities: options.identity === undefined ? [] : identitiesIn(options.identity),
    passphrase: await passphraseFor(terminal, source, {
      isFromInput: options.passphraseStdin === true,
      hasIdentity: options.identity !== undefined,
    }),
  };
  /** What is asked to end does so with the next piece, and removes what it has made. */
  const attempt = <T>(work: (input: Input) => Promise<T>): Promise<T> =>
    terminal
      .interruptible(
        (ended) =>
          work({
            ...keys,
            ...(sizeBytes === null ? {} : { again: () => bytesUntilEnded(bytesOf(terminal, source), ended) }),
            bytes: bytesUntilEnded(bytesOf(terminal, source), ended),
            onProgress: ({ step, ...sofar }) => {
              ended.throwIfAborted();
              progress.show(() => step ?? progressText(sofar, performance.now() - startedAtMs), {
                isStep: step !== null,
              });
            },
          }),
        nothingChanged,
      )
      .finally(progress.end);
  if (options.plan) {
    const plan = await attempt((input) =>
      tools.plan({ ...input, isDroppingSecrets: options.dropSecrets === true }),
    );
    const complaint = plan.complaint ?? (await serverComplaint(composition));
    const keepsIn = keptIn(composition, options.replace === true);
    output.result({ ...plan, complaint, into: restoreGoal(composition), keepsIn }, planText);
    if (complaint !== null) throw new CliFailure("CHECKS_FAILED", "the backup can't be restored here");
    return;
  }
  if (options.verify) {
    const report = await attempt(tools.verify);
    output.result(report, verifyText);
    await noteProof(invocation, report);
    if (!report.isSound) throw new CliFailure("CHECKS_FAILED", "the restored data differs from the backup");
    return;
  }
  await confirm(
    async () => `Replace everything in the installation in ${restoreGoal(composition)} with this backup?`,
  );
  const how = {
    isDroppingSecrets: options.dropSecrets === true,
    isReplacing: options.replace === true,
    sizeBytes,
  };
  const report = await attempt((input) => tools.restore({ ...input, ...how }));
  // Before the first start of a server there is no key.
  const hasKey = report.manifest.keyFingerprint !== null || report.dropped !== null;
  const goal = { into: restoreGoal(composition), needsAppSecret: hasKey && needsAppSecret(composition) };
  output.result({ ...report, ...goal }, restoreText);
};

/** Where what is there before a restore is kept; `null`: nowhere. */
const keptIn = ({ config, dataDir }: Composition, isReplacing: boolean): string | null => {
  if (config().databaseUrl === null) return join(dataDir, "database.replaced-<time>");
  return isReplacing ? null : join(dataDir, "backups");
};

const serverComplaint = async ({ controlSocket, dataDir }: Composition): Promise<string | null> =>
  (await isServerRunning(controlSocket)) ? `A server is running on ${dataDir}; ${stopIt}` : null;
