import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { fieldText, findSettingChange, type SettingChange } from "#cli/setting-change.ts";
import { typedChange } from "#cli/typed-change.ts";
import { wholeNumber } from "#cli/whole-number.ts";
import { settingsTexts } from "#contract/settings-texts.ts";

/** `settings revert`: the way back. */
export const addSettingsRevertCommand = (group: Command, cli: Cli): void => {
  group
    .command("revert")
    .argument("<id>", "number of the change", wholeNumber)
    .summary("take a change back")
    .description(
      "Puts back what a change replaced. Secrets cannot be brought back: they were never kept. Shows what each field " +
        "becomes and which secrets go for good, and asks first. To take it back again, revert the change that this makes.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium settings revert 12"],
        ["In a script", "atrium settings revert 12 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const id = wholeNumber(invocation.args[0] ?? "");
        const params = { id: String(id) };
        const change = await withClient(invocation, async (client) => {
          await invocation.confirm(async () => {
            const former = typedChange(await findSettingChange(client, id));
            invocation.output.note(
              outlook(former)
                .map((line) => printable(line))
                .join("\n"),
            );
            return `Put back what change ${id} replaced?`;
          });
          return client.call("POST /api/auth/settings/history/:id/revert", { params });
        });
        invocation.output.result(change, (made) =>
          typedChange(made)
            .fields.map((field) => printable(fieldText(field)))
            .join("\n"),
        );
      }),
    );
};

/** What taking a change back will do, a line each. Throws `CONFLICT` when the API would refuse it. */
const outlook = ({ fields, canRevert, losesSecrets }: SettingChange): string[] => {
  const visible = fields.filter((field) => !field.isSecret);
  if (!canRevert)
    throw new CliFailure(
      "CONFLICT",
      visible.length === 0 ? settingsTexts.nothingToRevert : settingsTexts.changedSince,
    );
  return [
    ...visible.map((field) => fieldText({ ...field, before: field.after, after: field.before })),
    ...losesSecrets.map((path) => `${path} is removed for good`),
  ];
};
