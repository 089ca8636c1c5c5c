import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatMinute } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { pageSize, wholeNumber } from "#cli/whole-number.ts";
import type { ChangedField } from "#contract/settings.ts";

type HistoryOptions = { limit?: number; before?: number };
type HistoryPage = ApiAnswer<"GET /api/auth/settings/history">;
type Change = HistoryPage["changes"][number];

/** `settings history` and `settings revert`: who changed what, and the way back. */
export const addSettingsHistoryCommands = (group: Command, cli: Cli): void => {
  addHistory(group, cli);
  addRevert(group, cli);
};

const addHistory = (group: Command, cli: Cli): void => {
  group
    .command("history")
    .summary("show who changed what")
    .description(
      "Lists the changes of settings, newest first, with who made them. Of secrets it tells only that they were set, " +
        "replaced or removed.",
    )
    .option("--limit <changes>", "how many to show, 1 to 100 (default: 25)", pageSize)
    .option("--before <id>", "only changes older than this one", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["The newest", "atrium settings history"],
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

const addRevert = (group: Command, cli: Cli): void => {
  group
    .command("revert")
    .argument("<id>", "number of the change", wholeNumber)
    .summary("take a change back")
    .description(
      "Puts back what a change replaced. Secrets cannot be brought back: they were never kept. Asks first. To take it " +
        "back again, revert the change that this makes.",
    )
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium settings revert 12"],
        ["In a script", "atrium settings revert 12 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const id = String(wholeNumber(invocation.args[0] ?? ""));
        await invocation.confirm(async () => `Put back what change ${id} replaced?`);
        const change = await withClient(invocation, (client) =>
          client.call("POST /api/auth/settings/history/:id/revert", { params: { id } }),
        );
        invocation.output.result(change, () => change.fields.map(fieldText).join("\n"));
      }),
    );
};

const pageText = ({ changes }: HistoryPage, style: Style): string =>
  changes.length === 0 && style.isTerminal
    ? "Nobody has changed a setting yet."
    : formatTable(columns, changes, style);

const changeText = ({ fields, reverts }: Change): string => {
  const told = fields.map(fieldText).join("; ");
  return reverts === null ? told : `took back ${reverts}: ${told}`;
};

const fieldText = (field: ChangedField): string =>
  field.isSecret
    ? `${field.path} was ${field.deed}`
    : `${field.path}: ${valueText(field.before)} → ${valueText(field.after)}`;

const valueText = (value: string | number | boolean | null): string =>
  value === null || value === "" ? "none" : String(value);

const columns: Column<Change>[] = [
  { heading: "ID", cell: ({ id }) => String(id), least: whole },
  { heading: "WHEN", cell: ({ at }) => formatMinute(at), least: whole },
  { heading: "BY", cell: ({ by }) => by },
  { heading: "CHANGE", cell: changeText, least: 30 },
];
