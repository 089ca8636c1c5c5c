import { type Command, InvalidArgumentError } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { type Column, formatTable } from "#cli/table.ts";

type ListOptions = { search?: string; limit?: number; offset?: number };
type UserPage = ApiAnswer<"GET /api/admin/users">;

/** `user list`: the accounts of the installation. */
export const addUserCommands = (program: Command, cli: Cli): void => {
  program
    .command("user")
    .summary("accounts")
    .description("The accounts of the installation")
    .command("list")
    .summary("list the accounts")
    .description(
      "Lists the accounts, newest first. On a terminal as a table; elsewhere one account a line with tabs between " +
        "address, name, role, state, last visit and creation, and no headings.",
    )
    .option("--search <text>", "only accounts with this in their name or address, in any case")
    .option("--limit <rows>", "how many to show, 1 to 100 (default: 25)", wholeNumber)
    .option("--offset <rows>", "how many to leave out first (default: 0)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["The newest accounts", "atrium user list"],
        ["Everybody at one company", "atrium user list --search @example.com --limit 100"],
        ["The addresses alone, for a script", "atrium user list --limit 100 | cut -f 1"],
        ["As the API answers it", "atrium user list --json"],
      ),
    )
    .action(
      handler<ListOptions>(cli, async (invocation, { search, limit, offset }) => {
        const query = {
          ...(search === undefined ? {} : { search }),
          ...(limit === undefined ? {} : { limit }),
          ...(offset === undefined ? {} : { offset }),
        };
        const page = await withClient(invocation, (client) => client.call("GET /api/admin/users", { query }));
        invocation.output.result(page, pageText);
        if (invocation.terminal.isErrorTerminal) invocation.output.note(countText(page));
      }),
    );
};

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};

const pageText = ({ users }: UserPage, style: Style): string =>
  users.length === 0 && style.isTerminal ? "No accounts." : formatTable(columnsFor(style), users, style);

const columnsFor = (style: Style): Column<UserPage["users"][number]>[] => [
  { heading: "EMAIL", cell: ({ email }) => email },
  { heading: "NAME", cell: ({ name }) => name },
  {
    heading: "ROLE",
    cell: ({ role }) => role,
    paint: (text, { role }) => (role === "admin" ? style.yellow(text) : text),
  },
  { heading: "STATE", cell: stateOf, paint: (text, user) => (user.disabled ? style.red(text) : text) },
  { heading: "LAST SEEN", cell: ({ lastSeenAt }) => (lastSeenAt === null ? "never" : minuteOf(lastSeenAt)) },
  { heading: "CREATED", cell: ({ createdAt }) => minuteOf(createdAt) },
];

const stateOf = ({ disabled, emailVerified }: UserPage["users"][number]): string => {
  if (disabled) return "disabled";
  return emailVerified ? "verified" : "unverified";
};

// UTC to the minute: "2026-11-20 18:40Z".
const minuteOf = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")}Z`;

const countText = ({ users, pagination: { total, offset } }: UserPage): string => {
  const end = offset + users.length;
  const more = end < total ? `; the next with --offset ${end}` : "";
  return `${users.length} of ${total} accounts${more}`;
};
