import { type Command, Option } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatCount, formatMinute } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { type Cli, type GlobalOptions, handler, withClient } from "#cli/invocation.ts";
import { jsonLine, type Style } from "#cli/output.ts";
import { totalText } from "#cli/page-text.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { pageSize } from "#cli/whole-number.ts";
import { type MailRow, type MailStatus, mailStatuses, mailTexts } from "#contract/mail.ts";
import { mailState } from "./mail-status.ts";

type Page = ApiAnswer<"GET /api/admin/mails">;
type ListOptions = GlobalOptions & {
  status?: MailStatus;
  search?: string;
  limit?: number;
  before?: string;
  ndjson?: true;
};

/** `mail list`: the mails of the outbox, a page at a time. */
export const addMailListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the mails")
    .description(
      "Lists the mails, newest first. On a terminal as a table; elsewhere one mail a line with tabs between id, time, " +
        "state, tries, recipient, subject and last error, and no headings.",
    )
    .addOption(new Option("--status <status>", "only mails in this state").choices(mailStatuses))
    .option("--search <text>", "only mails with this in their recipient or subject, in any case")
    .option("--limit <rows>", "how many to show, 1 to 100 (default: 25)", pageSize)
    .option("--before <id>", "only older ones than the mail with this id")
    .option("--ndjson", "one mail a line, as JSON")
    .addHelpText(
      "after",
      examples(
        ["What was given up", "atrium mail list --status dead"],
        ["Everything to one person", "atrium mail list --search ada@example.com --limit 100"],
        [
          "The next page, as the last line of a page says",
          "atrium mail list --before 019a9f00-0000-7000-8000-000000000000",
        ],
        ["Why mails failed, for a script", "atrium mail list --status dead --ndjson | jq -r .lastError"],
      ),
    )
    .action(
      handler<ListOptions>(cli, async (invocation, { status, search, limit, before, ndjson, json }) => {
        if (ndjson && json)
          throw new CliFailure("USAGE", "--json is the whole answer and --ndjson its lines; leave one out");
        const query = given({ status, search, limit, before });
        const page = await withClient(invocation, (client) => client.call("GET /api/admin/mails", { query }));
        invocation.output.result(page, ndjson ? linesOf : pageText);
        const { isErrorTerminal, isOutputTerminal } = invocation.terminal;
        // That there are none was the result already.
        const isSaid = page.mails.length === 0 && isOutputTerminal && !ndjson;
        if (isErrorTerminal && !isSaid) invocation.output.note(countText(page));
      }),
    );
};

const linesOf = ({ mails }: Page): string => mails.map(jsonLine).join("\n");

const pageText = ({ mails }: Page, style: Style): string =>
  mails.length === 0 && style.isTerminal ? mailTexts.none : formatTable(columnsFor(style), mails, style);

const columnsFor = (style: Style): Column<MailRow>[] => [
  { heading: "ID", cell: ({ id }) => id, least: whole },
  { heading: "WRITTEN", cell: ({ createdAt }) => formatMinute(createdAt), least: 17 },
  {
    heading: "STATE",
    cell: mailState,
    paint: (text, { status }) => {
      if (status === "sent") return style.green(text);
      return status === "dead" ? style.red(text) : style.yellow(text);
    },
  },
  { heading: "TRIES", cell: ({ attempts }) => String(attempts), isSpare: true },
  { heading: "TO", cell: ({ recipient }) => recipient },
  { heading: "SUBJECT", cell: ({ subject }) => subject },
  { heading: "LAST ERROR", cell: ({ lastError }) => lastError ?? "", isSpare: true },
];

const countText = ({ mails, counts, pagination }: Page): string => {
  const { total, limit } = pagination;
  const last = mails.at(-1);
  const more = last && mails.length === limit && total > limit ? `; older ones with --before ${last.id}` : "";
  const of = `${formatCount(counts.waiting)} waiting and ${formatCount(counts.dead)} given up`;
  return `${mails.length} of ${totalText(pagination)} mails${more}; of all, ${of}`;
};
