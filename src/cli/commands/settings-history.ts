import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatMinute } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { fieldText, type SettingChange } from "#cli/setting-change.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { typedChange } from "#cli/typed-change.ts";
import { pageSize, wholeNumber } from "#cli/whole-number.ts";

type HistoryOptions = { limit?: number; before?: number };
type HistoryPage = ApiAnswer<"GET /api/auth/settings/history">;

/** `settings history`: who changed what. */
export const addSettingsHistoryCommand = (group: Command, cli: Cli): void => {
  group
    .command("history")
    .summary("show who changed what")
    .description(
      "Lists the changes of settings, newest first, with who made them. Of secrets it tells only that they were set, " +
        "replaced or removed. A terminal cuts long values; settings show tells a change whole.",
    )
    .option("--limit <changes>", "how many to show, 1 to 100 (default: 25)", pageSize)
    .option("--before <id>", "only changes older than this one", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["The newest", "atrium settings history"],
        ["One of them whole", "atrium settings show 12"],
        ["Who touched the limits", "atrium settings history | grep rateLimiting"],
      ),
    )
    .action(
      handler<HistoryOptions>(cli, async (invocation, { limit, before }) => {
        const page = await withClient(invocation, (client) =>
          client.call("GET /api/auth/settings/history", { query: given({ limit, before }) }),
        );
        invocation.output.result(page, pageText);
      }),
    );
};

const pageText = ({ changes }: HistoryPage, style: Style): string =>
  changes.length === 0 && style.isTerminal
    ? "Nobody has changed a setting yet."
    : formatTable(columns, changes.map(typedChange), style);

const changeText = ({ fields, reverts }: SettingChange): string => {
  const told = fields.map(fieldText).join("; ");
  return reverts === null ? told : `took back ${reverts}: ${told}`;
};

const columns: Column<SettingChange>[] = [
  { heading: "ID", cell: ({ id }) => String(id), least: whole },
  { heading: "WHEN", cell: ({ at }) => formatMinute(at), least: whole },
  { heading: "BY", cell: ({ by }) => by },
  { heading: "CHANGE", cell: changeText, least: 30 },
];
