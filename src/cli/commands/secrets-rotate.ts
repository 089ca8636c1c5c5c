import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatCount } from "#cli/format.ts";
import { type Cli, type GlobalOptions, handler, refuseRemote, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";
import { createProgress, progressBar } from "#cli/progress.ts";
import { type Rotation, rotateSecrets } from "#cli/rotate-secrets.ts";

/** `secrets rotate`: moves everything stored to the current key. */
export const addSecretsRotateCommand = (group: Command, cli: Cli): void => {
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
