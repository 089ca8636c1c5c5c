import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { formatSecond } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { fieldFate, findSettingChange, type SettingChange } from "#cli/setting-change.ts";
import { formatFacts } from "#cli/table.ts";
import { typedChange } from "#cli/typed-change.ts";
import { wholeNumber } from "#cli/whole-number.ts";

/** `settings show`: one change, whole. */
export const addSettingsShowCommand = (group: Command, cli: Cli): void => {
  group
    .command("show")
    .argument("<id>", "number of the change", wholeNumber)
    .summary("show one change")
    .description(
      "Shows one change whole, one field a line with what it held before and after. The number is in the first column of " +
        "the history.",
    )
    .addHelpText(
      "after",
      examples(
        ["As text", "atrium settings show 12"],
        ["Whether it can be taken back, for a script", "atrium settings show 12 --json | jq .canRevert"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const id = wholeNumber(invocation.args[0] ?? "");
        const change = await withClient(invocation, (client) => findSettingChange(client, id));
        invocation.output.result(change, changeText);
      }),
    );
};

const changeText = (change: SettingChange, style: Style): string => {
  const { id, at, by, fields, reverts, canRevert } = typedChange(change);
  return formatFacts(
    [
      ["Id", String(id)],
      ["When", formatSecond(at)],
      ["By", by],
      ["Took back", reverts === null ? "nothing" : `change ${reverts}`],
      ["Can be taken back", canRevert ? "yes" : "no"],
      ...fields.map((field) => [field.path, fieldFate(field)] as const),
    ],
    style,
  );
};
