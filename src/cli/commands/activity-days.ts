import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatCount } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { wholeNumber } from "#cli/whole-number.ts";

type Day = ApiAnswer<"GET /api/admin/activity/days">["days"][number];

/** `activity days`: the curve of the admin area's overview, in numbers. */
export const addActivityDaysCommand = (group: Command, cli: Cli): void => {
  group
    .command("days")
    .summary("count activities by day")
    .description("Counts the activities of the last days in UTC, the oldest day first; days without any too.")
    .option("--days <days>", "how many days, today being the last", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["The last week", "atrium activity days --days 7"],
        ["Failures of today", "atrium activity days --json | jq .days[-1].failures"],
      ),
    )
    .action(
      handler<{ days?: number }>(cli, async (invocation, { days }) => {
        const query = given({ days });
        const answer = await withClient(invocation, (client) =>
          client.call("GET /api/admin/activity/days", { query }),
        );
        invocation.output.result(answer, ({ days: counted }, style) => formatTable(columns, counted, style));
      }),
    );
};

const columns: Column<Day>[] = [
  { heading: "DAY", cell: ({ date }) => date, least: whole },
  { heading: "ALL", cell: ({ total }) => formatCount(total), least: whole },
  { heading: "FAILURES", cell: ({ failures }) => formatCount(failures), least: whole },
  { heading: "SECURITY", cell: ({ securityEvents }) => formatCount(securityEvents), least: whole },
];
