import type { Command } from "commander";
import { type ActivityFilters, activityQuery, withActivityFilters } from "#cli/activity-filters.ts";
import { activityColumns } from "#cli/activity-text.ts";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatCount } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { type Cli, type GlobalOptions, handler, withClient } from "#cli/invocation.ts";
import { jsonLine, type Style } from "#cli/output.ts";
import { totalText } from "#cli/page-text.ts";
import { searchNotes } from "#cli/search-notes.ts";
import { formatTable } from "#cli/table.ts";
import { activityId, pageSize, wholeNumber } from "#cli/whole-number.ts";
import { activityTexts } from "#contract/activity-texts.ts";

type ListOptions = GlobalOptions &
  ActivityFilters & { limit?: number; offset?: number; before?: number; ndjson?: true };
type ActivityPage = ApiAnswer<"GET /api/admin/activity">;

/** `activity list`: the activities, a page at a time. */
export const addActivityListCommand = (group: Command, cli: Cli): void => {
  withActivityFilters(
    group
      .command("list")
      .summary("list the activities")
      .description(
        "Lists the activities, newest first. On a terminal as a table; elsewhere one activity a line with tabs between " +
          "time, plugin, type, action, description, status, severity, user, duration and number, and no headings. Several values of a " +
          "filter are separated by commas, or the option is repeated. Standard error tells of a search that did not look " +
          "at everything.",
      ),
  )
    .option("--limit <rows>", "how many to show, 1 to 100 (default: 25)", pageSize)
    .option("--offset <rows>", "how many to leave out first (default: 0)", wholeNumber)
    .option("--before <number>", "only older ones than the activity with this number", activityId)
    .option("--ndjson", "one activity a line, as JSON")
    .addHelpText(
      "after",
      examples(
        ["The newest", "atrium activity list"],
        [
          "What went wrong today and matters",
          "atrium activity list --since 24h --status failure --severity high,critical",
        ],
        ["What one person did", "atrium activity list --search ada@example.com --limit 100"],
        ["The next page, as the last line of a page says", "atrium activity list --before 1201"],
        [
          "The addresses that failed, for a script",
          "atrium activity list --status failure --ndjson | jq -r .ip",
        ],
      ),
    )
    .action(
      handler<ListOptions>(cli, async (invocation, { limit, offset, before, ndjson, json, ...filters }) => {
        if (ndjson && json)
          throw new CliFailure("USAGE", "--json is the whole answer and --ndjson its lines; leave one out");
        const query = { ...activityQuery(filters), ...given({ limit, offset, before }) };
        const page = await withClient(invocation, (client) =>
          client.call("GET /api/admin/activity", { query }),
        );
        invocation.output.result(page, ndjson ? linesOf : pageText);
        const { isErrorTerminal, isOutputTerminal } = invocation.terminal;
        // That there are none was the result already.
        const isSaid = page.activities.length === 0 && isOutputTerminal && !ndjson;
        const isCounted = isErrorTerminal && !isSaid;
        const notes = isCounted ? [countText(page, before !== undefined)] : searchNotes(page);
        for (const note of notes) invocation.output.note(note);
      }),
    );
};

const linesOf = ({ activities }: ActivityPage): string => activities.map(jsonLine).join("\n");

const pageText = ({ activities }: ActivityPage, style: Style): string =>
  activities.length === 0 && style.isTerminal
    ? activityTexts.none
    : formatTable(activityColumns(style), activities, style);

const countText = ({ activities, pagination }: ActivityPage, isBehind: boolean): string => {
  const { total, limit, offset, totalIsEstimate, searchedNewest } = pagination;
  const last = activities.at(-1);
  // The total counts those too that `--before` leaves out.
  const isEnd = !isBehind && !totalIsEstimate && offset + activities.length >= total;
  const more = last && activities.length === limit && !isEnd ? `; older ones with --before ${last.id}` : "";
  const searched =
    searchedNewest === null ? "" : `; only the newest ${formatCount(searchedNewest)} were searched`;
  return `${activities.length} of ${totalText(pagination)} activities${more}${searched}`;
};
