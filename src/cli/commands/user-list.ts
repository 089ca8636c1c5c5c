import { type Command, Option } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatCount, formatMinute } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { nextText, totalText } from "#cli/page-text.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { userState } from "#cli/user-state.ts";
import { pageSize, wholeNumber } from "#cli/whole-number.ts";
import { limits } from "#contract/limits.ts";
import { type Role, roles, type SortOrder, sortOrders, type UserSort, userSorts } from "#contract/users.ts";

type Bounds = { limit?: number; offset?: number };
type ListOptions = Bounds & {
  search?: string;
  role?: Role;
  status?: "active" | "disabled";
  sort?: UserSort;
  order?: SortOrder;
  pending?: true;
  all?: true;
};
type Page<Row> = {
  users: Row[];
  pagination: { total: number; totalIsEstimate: boolean; limit: number; offset: number };
};
type Reading<Row> = ListOptions & { read: (bounds: Bounds) => Promise<Page<Row>> };
type User = ApiAnswer<"GET /api/admin/users">["users"][number];
type PendingUser = ApiAnswer<"GET /api/admin/pending-users">["users"][number];
type Registration = { email: string } & PendingUser["waiting"][number];

/** `user list`: the accounts, or the addresses that wait for their verification. */
export const addUserListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the accounts")
    .description(
      "Lists the accounts, newest first. On a terminal as a table; elsewhere one account a line with tabs between " +
        "address, name, role, state, last visit and creation, and no headings. With --pending, the addresses that wait " +
        "for their verification, a line for each registration: address, name, last mail, registration, its end and its id.",
    )
    .option("--search <text>", "only accounts with this in their name or address, in any case")
    .addOption(new Option("--role <role>", "only accounts with this role").choices(roles))
    .addOption(new Option("--status <status>", "only accounts in this state").choices(["active", "disabled"]))
    .addOption(new Option("--sort <key>", "sort the accounts by this (default: created)").choices(userSorts))
    .addOption(
      new Option("--order <order>", "ascending or descending (default: latest first, texts from A)").choices(
        sortOrders,
      ),
    )
    .option("--pending", "registrations that wait for their verification, instead of accounts")
    .option("--all", "all of them instead of one page")
    .option("--limit <rows>", "how many to show, 1 to 100 (default: 25)", pageSize)
    .option("--offset <rows>", "how many to leave out first (default: 0)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["The newest accounts", "atrium user list"],
        ["Everybody at one company", "atrium user list --search @example.com --limit 100"],
        ["Who has been away longest", "atrium user list --sort lastSeen --order asc"],
        ["Who may administer", "atrium user list --role admin --status active"],
        ["Who has not followed the mailed link yet", "atrium user list --pending"],
        ["All addresses, for a script", "atrium user list --all | cut -f 1"],
        ["As the API answers it", "atrium user list --json"],
      ),
    )
    .action(handler<ListOptions>(cli, list));
};

const list = (invocation: Invocation, options: ListOptions): Promise<void> => {
  refuseContradictions(options);
  return options.pending ? listPending(invocation, options) : listAccounts(invocation, options);
};

const listAccounts = async (invocation: Invocation, options: ListOptions): Promise<void> => {
  const { search, role, status, sort, order } = options;
  const filter = given({ search, role, status, sort, order });
  const page = await withClient(invocation, (client) =>
    readRows(invocation, {
      ...options,
      read: (bounds) => client.call("GET /api/admin/users", { query: { ...filter, ...bounds } }),
    }),
  );
  show(invocation, { page, lines: (users) => users, columns: userColumns, noun: "accounts" });
};

const listPending = async (invocation: Invocation, options: ListOptions): Promise<void> => {
  const filter = given({ search: options.search });
  const page = await withClient(invocation, (client) =>
    readRows(invocation, {
      ...options,
      read: (bounds) => client.call("GET /api/admin/pending-users", { query: { ...filter, ...bounds } }),
    }),
  );
  show(invocation, { page, lines: registrationsOf, columns: pendingColumns, noun: "addresses" });
};

const registrationsOf = (users: PendingUser[]): Registration[] =>
  users.flatMap(({ email, waiting }) => waiting.map((registration) => ({ email, ...registration })));

/** The page that was asked for, or with `--all` every page as one; a row that newer ones pushed onto the next stands once. */
const readRows = async <Row extends { id: string }>(
  { terminal }: Invocation,
  { read, all, limit, offset }: Reading<Row>,
): Promise<Page<Row>> => {
  if (!all) return read(given({ limit, offset }));
  const progress = createProgress(terminal);
  const rows = new Map<string, Row>();
  const readAll = async (): Promise<Page<Row>> => {
    for (let from = 0; ; from += limits.pageSizeMax) {
      const { users, pagination } = await read({ limit: limits.pageSizeMax, offset: from });
      for (const user of users) rows.set(user.id, user);
      if (users.length < limits.pageSizeMax)
        return {
          users: [...rows.values()],
          pagination: { total: rows.size, totalIsEstimate: false, limit: rows.size, offset: 0 },
        };
      progress.show(() => `reading: ${formatCount(rows.size)} of ${totalText(pagination)}`);
    }
  };
  return duringStep(progress, "reading", readAll);
};

type View<Row, Line> = {
  page: Page<Row>;
  lines: (rows: Row[]) => Line[];
  columns: (style: Style) => Column<Line>[];
  noun: string;
};

const show = <Row, Line>(
  { output, terminal }: Invocation,
  { page, lines, columns, noun }: View<Row, Line>,
): void => {
  output.result(page, ({ users }, style) =>
    users.length === 0 && style.isTerminal ? `No ${noun}.` : formatTable(columns(style), lines(users), style),
  );
  // That there are none was the result already.
  const isSaid = page.pagination.total === 0 && terminal.isOutputTerminal;
  if (terminal.isErrorTerminal && !isSaid) output.note(countText(page, noun));
};

const countText = <Row>({ users, pagination }: Page<Row>, noun: string): string =>
  `${users.length} of ${totalText(pagination)} ${noun}${nextText(pagination, users.length)}`;

// Enough to tell most addresses apart; the account is named by it.
const emailWidth = 24;

const userColumns = (style: Style): Column<User>[] => [
  { heading: "EMAIL", cell: ({ email }) => email, least: emailWidth },
  { heading: "NAME", cell: ({ name }) => name },
  {
    heading: "ROLE",
    cell: ({ role }) => role,
    paint: (text, { role }) => (role === "admin" ? style.yellow(text) : text),
  },
  {
    heading: "STATE",
    cell: userState,
    paint: (text, { disabled }) => (disabled ? style.red(text) : text),
  },
  { heading: "LAST SEEN", cell: ({ lastSeenAt }) => formatMinute(lastSeenAt), least: whole },
  { heading: "CREATED", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
];

const pendingColumns = (): Column<Registration>[] => [
  { heading: "EMAIL", cell: ({ email }) => email },
  { heading: "NAME", cell: ({ name }) => name },
  { heading: "MAILED", cell: ({ mailedAt }) => formatMinute(mailedAt), least: whole, isSpare: true },
  { heading: "REGISTERED", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
  { heading: "ENDS", cell: ({ expiresAt }) => formatMinute(expiresAt), least: whole, isSpare: true },
  { heading: "ID", cell: ({ id }) => id, least: whole },
];

const refuseContradictions = (options: ListOptions): void => {
  const { pending, all, role, status, sort, order, limit, offset } = options;
  if (pending && (role !== undefined || status !== undefined)) {
    throw new CliFailure(
      "USAGE",
      "registrations have neither role nor status; leave --role and --status out",
    );
  }
  if (pending && (sort !== undefined || order !== undefined)) {
    throw new CliFailure("USAGE", "registrations are listed newest first; leave --sort and --order out");
  }
  if (all && (limit !== undefined || offset !== undefined)) {
    throw new CliFailure("USAGE", "--all is everything; leave --limit and --offset out");
  }
};
