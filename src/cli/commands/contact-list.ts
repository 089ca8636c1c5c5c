import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { type ContactFilters, contactQuery, withContactFilters } from "#cli/contact-filters.ts";
import { examples } from "#cli/examples.ts";
import { formatMinute } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { nextText, totalText } from "#cli/page-text.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { pageSize, wholeNumber } from "#cli/whole-number.ts";

type ListOptions = ContactFilters & { limit?: number; offset?: number };
type MessagePage = ApiAnswer<"GET /api/admin/contact">;
type Message = MessagePage["messages"][number];

/** `contact list`: the messages, a page at a time. */
export const addContactListCommand = (group: Command, cli: Cli): void => {
  withContactFilters(
    group
      .command("list")
      .summary("list the messages")
      .description(
        "Lists the messages, newest first. On a terminal as a table; elsewhere one message a line with tabs between " +
          "id, time, name, address, subject, state and the beginning of the text, and no headings.",
      ),
  )
    .option("--limit <rows>", "how many to show, 1 to 100 (default: 25)", pageSize)
    .option("--offset <rows>", "how many to leave out first (default: 0)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["What still needs somebody", "atrium contact list --status open"],
        ["Everything from one company", "atrium contact list --search @example.com --limit 100"],
        ["The ids alone, for a script", "atrium contact list --subject Sales | cut -f 1"],
        ["How many nobody has read yet", "atrium contact list --json | jq .counts.unread"],
      ),
    )
    .action(
      handler<ListOptions>(cli, async (invocation, { limit, offset, ...filters }) => {
        const query = { ...contactQuery(filters), ...given({ limit, offset }) };
        const page = await withClient(invocation, (client) =>
          client.call("GET /api/admin/contact", { query }),
        );
        invocation.output.result(page, pageText);
        const { isErrorTerminal, isOutputTerminal } = invocation.terminal;
        // That there are none was the result already.
        const isSaid = page.pagination.total === 0 && isOutputTerminal;
        if (isErrorTerminal && !isSaid) invocation.output.note(countText(page));
      }),
    );
};

const pageText = ({ messages }: MessagePage, style: Style): string =>
  messages.length === 0 && style.isTerminal
    ? "No messages."
    : formatTable(columnsFor(style), messages, style);

// What fits beside the other columns on a wide terminal.
const shownLength = 60;

const columnsFor = (style: Style): Column<Message>[] => [
  { heading: "ID", cell: ({ id }) => id, least: whole },
  { heading: "RECEIVED", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
  { heading: "NAME", cell: ({ name }) => name },
  { heading: "EMAIL", cell: ({ email }) => email, isSpare: true },
  { heading: "SUBJECT", cell: ({ subject }) => subject, isSpare: true },
  {
    heading: "STATE",
    cell: stateOf,
    paint: (text, { readAt }) => (readAt === null ? style.yellow(text) : text),
  },
  { heading: "MESSAGE", cell: ({ message }) => beginningOf(message) },
];

const stateOf = ({ handledAt, readAt }: Message): string => {
  if (handledAt !== null) return "handled";
  return readAt === null ? "unread" : "open";
};

const beginningOf = (message: string): string => {
  const characters = [...message.replace(/\s+/g, " ")];
  return characters.length > shownLength
    ? `${characters.slice(0, shownLength - 1).join("")}…`
    : characters.join("");
};

const countText = ({ messages, pagination, counts }: MessagePage): string => {
  const more = nextText(pagination, messages.length);
  return `${messages.length} of ${totalText(pagination)} messages${more}; of all, ${counts.open} open and ${counts.unread} unread`;
};
