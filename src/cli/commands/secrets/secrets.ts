import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import type { RotatedSlice, SecretsStatus } from "#api/modules/secrets/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure } from "#cli/failure.ts";
import {
  type Cli,
  examples,
  type GlobalOptions,
  handler,
  refuseRemote,
  withClient,
} from "#cli/invocation.ts";
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
    .summary("print a fresh key")
    .description(
      "Prints 32 fresh random bytes in hexadecimal digits, good as APP_SECRET or as the content of the key file. Nothing is " +
        "stored or changed: whoever runs it keeps the key.",
    )
    .addHelpText(
      "after",
      examples(
        ["Into a file for the owner's eyes only", "(umask 077 && atrium secrets new-key > app.key.new)"],
        ["Into a variable", 'APP_SECRET="$(atrium secrets new-key)"'],
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
    .summary("move what is stored to the current key")
    .description(
      "Seals everything that is stored encrypted under the current key: what lies under the one in APP_SECRET_PREVIOUS is " +
        "opened with that. The server may run meanwhile. Interrupted, it is simply called again. When it is through, " +
        "APP_SECRET_PREVIOUS can go. Ends with 1 when something opens under neither key, which it names and leaves as it is.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["With both keys set, and every server started with them", "atrium secrets rotate"],
        ["How much was done, for a script", "atrium secrets rotate --json | jq .resealed"],
      ),
    )
    .action(
      handler<GlobalOptions>(cli, async (invocation, options) => {
        refuseRemote(options, "secrets rotate");
        const progress = createProgress(invocation.terminal);
        const rotation = await withClient(invocation, (client) =>
          rotateSecrets(client, ({ resealed, remaining }) =>
            progress.show(() => {
              const total = resealed + remaining;
              const share = total === 0 ? 1 : resealed / total;
              return `${progressBar(share)}  ${formatCount(resealed)} of ${formatCount(total)} sealed anew`;
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
    previousFingerprint === null || remaining > 0 ? "" : ". APP_SECRET_PREVIOUS is needed no more: remove it";
  if (resealed === 0 && remaining === 0) {
    const why = previousFingerprint === null ? ", and no previous key is set" : "";
    return `Nothing to do: nothing lies under another key than the current one, ${fingerprint}${why}${canGo}`;
  }
  return `Sealed ${valuesText(resealed)} anew under key ${fingerprint}${canGo}`;
};

const complaintsAbout = ({ remaining, unreadable, fingerprint }: Rotation): string[] => [
  ...(remaining > 0
    ? [
        `${valuesText(remaining)} were stored under the previous key meanwhile: another server runs without key ` +
          `${fingerprint}. Start it with both keys, and run this again`,
      ]
    : []),
  ...(unreadable.length > 0
    ? [
        `${valuesText(unreadable.length)} open${unreadable.length === 1 ? "s" : ""} with neither key and stay as they are:`,
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
      throw new CliFailure("INTERNAL", "the change of key does not go on");
    after = slice.after;
  }
};
