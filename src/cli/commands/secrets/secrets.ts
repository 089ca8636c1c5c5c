import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import type { RotatedSlice, SecretsStatus } from "#api/modules/secrets/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, examples, handler, localHandler, withClient } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { planOption } from "#cli/planned.ts";
import { formatCount } from "#cli/terminal/format.ts";
import { createProgress, progressBar } from "#cli/terminal/progress.ts";

/** `secrets`: the key under which stored secrets lie, and its change. */
export const addSecretsCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "secrets");
  addOperations(group, cli, "secrets");
  addSecretsRotateCommand(group, cli);
  addSecretsNewKeyCommand(group, cli);
};

/** `secrets new-key`: makes up a key. */
const addSecretsNewKeyCommand = (group: Command, cli: Cli): void => {
  group
    .command("new-key")
    .summary("print a new key")
    .description(
      "Prints 32 new random bytes in hexadecimal, for APP_SECRET or the key file. Nothing is " +
        "stored or changed: you have to save the key.",
    )
    .addHelpText(
      "after",
      examples(
        ["To a file that only you can read", "(umask 077 && atrium secrets new-key > app.key.new)"],
        ["To a variable", 'APP_SECRET="$(atrium secrets new-key)"'],
      ),
    )
    .action(
      handler(cli, async ({ output }) => {
        output.result({ key: randomBytes(32).toString("hex") }, ({ key }) => key);
      }),
    );
};

/** `secrets rotate`: moves everything stored to the current key. */
const addSecretsRotateCommand = (group: Command, cli: Cli): void => {
  group
    .command("rotate")
    .summary("re-encrypt stored secrets with the current key")
    .description(
      "Encrypts all stored secrets with the current key, after decrypting them with the one in " +
        "APP_SECRET_PREVIOUS. The server can keep running. If interrupted, run it again. Afterwards " +
        "APP_SECRET_PREVIOUS can be removed. Ends with 1 if a secret can't be decrypted with either key; it is listed and not changed.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["When every server has been started with both keys", "atrium secrets rotate"],
        ["How many were re-encrypted, for a script", "atrium secrets rotate --json | jq .resealed"],
      ),
    )
    .action(
      localHandler(cli, async (invocation) => {
        const progress = createProgress(invocation.terminal);
        const rotation = await withClient(invocation, (client) =>
          rotateSecrets(client, ({ resealed, remaining }) =>
            progress.show(() => {
              const total = resealed + remaining;
              const share = total === 0 ? 1 : resealed / total;
              return `${progressBar(share)}  ${formatCount(resealed)} of ${formatCount(total)} re-encrypted`;
            }),
          ),
        ).finally(progress.end);
        invocation.output.result(rotation, rotationText);
        const complaints = complaintsAbout(rotation);
        if (complaints.length > 0) throw new CliFailure("CHECKS_FAILED", complaints.join("\n"));
      }),
    );
};

const rotationText = ({ resealed, remaining, fingerprint, previousFingerprint }: Rotation): string => {
  const canGo =
    previousFingerprint === null || remaining > 0 ? "" : ". You can remove APP_SECRET_PREVIOUS now";
  if (resealed === 0 && remaining === 0) {
    const why = previousFingerprint === null ? ", and no previous key is set" : "";
    return `Nothing to do: everything is encrypted with the current key, ${fingerprint}${why}${canGo}`;
  }
  return `Re-encrypted ${valuesText(resealed)} with key ${fingerprint}${canGo}`;
};

const complaintsAbout = ({ remaining, unreadable, fingerprint }: Rotation): string[] => [
  ...(remaining > 0
    ? [
        `${valuesText(remaining)} were encrypted with the previous key in the meantime: another server is running without key ` +
          `${fingerprint}. Restart it with both keys, then run this again`,
      ]
    : []),
  ...(unreadable.length > 0
    ? [
        `${valuesText(unreadable.length)} can't be decrypted with either key and ${unreadable.length === 1 ? "was" : "were"} not changed:`,
        ...unreadable.map(({ table, column, id }) => `  ${table}.${column} ${id}`),
      ]
    : []),
];

const valuesText = (count: number): string => `${formatCount(count)} ${count === 1 ? "value" : "values"}`;

/** What a change of key came to, with the fingerprints of both keys. */
type Rotation = Omit<RotatedSlice, "after"> & Pick<SecretsStatus, "fingerprint" | "previousFingerprint">;

/** Calls slice after slice until everything was looked at; `onSlice` is told how far it has come. */
const rotateSecrets = async (client: Client, onSlice: (sofar: Rotation) => void): Promise<Rotation> => {
  const { secrets } = operationsOf(client);
  const { fingerprint, previousFingerprint, places } = (await secrets.status()).data;
  const remaining = places.reduce((sum, { previous }) => sum + previous, 0);
  const rotation: Rotation = {
    resealed: 0,
    remaining,
    unreadable: [],
    isComplete: false,
    fingerprint,
    previousFingerprint,
  };
  onSlice(rotation);
  for (let after: string | null = ""; ; ) {
    const slice: RotatedSlice = (await secrets.rotate(after === "" ? {} : { after })).data;
    rotation.resealed += slice.resealed;
    rotation.remaining = slice.remaining;
    rotation.unreadable.push(...slice.unreadable);
    rotation.isComplete = slice.isComplete;
    onSlice(rotation);
    if (slice.isComplete) return rotation;
    if (slice.after === null || slice.after === after)
      throw new CliFailure("INTERNAL", "the key rotation makes no progress");
    after = slice.after;
  }
};
