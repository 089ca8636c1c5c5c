import type { ListedUser, PendingUser } from "#api/modules/users/contract.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatCount, formatMinute } from "#cli/format.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { nextText, totalText } from "#cli/page-text.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { type Column, whole } from "#cli/table.ts";
import { limits } from "#contract/limits.ts";
import type { Role, SortOrder, UserSort } from "#contract/users.ts";
import { operationsOf } from "./operations-of.ts";
import { listText } from "./view.ts";

type Bounds = { limit?: number; offset?: number };
export type UserListOptions = Bounds & {
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
type Registration = { email: string } & PendingUser["waiting"][number];

/** `user list`: the accounts, or the addresses that wait for their verification. */
export const listUsers = async (invocation: Invocation, options: UserListOptions): Promise<void> => {
  refuseContradictions(options);
  const { search, role, status, sort, order } = options;
  if (options.pending) {
    const page = await withClient(invocation, (client) =>
      readRows(invocation, options, (bounds) => operationsOf(client).users.pending({ search, ...bounds })),
    );
    return show(invocation, {
      page,
      lines: registrationsOf,
      columns: () => pendingColumns,
      noun: "addresses",
    });
  }
  const filter = { search, role, status, sort, order };
  const page = await withClient(invocation, (client) =>
    readRows(invocation, options, (bounds) => operationsOf(client).users.list({ ...filter, ...bounds })),
  );
  show(invocation, { page, lines: (users) => users, columns: columnsFor, noun: "accounts" });
};

const registrationsOf = (users: PendingUser[]): Registration[] =>
  users.flatMap(({ email, waiting }) => waiting.map((registration) => ({ email, ...registration })));

/** The page that was asked for, or with `--all` every page as one; a row that newer ones pushed onto the next stands once. */
const readRows = async <Row extends { id: string }>(
  { terminal }: Invocation,
  { all, limit, offset }: UserListOptions,
  read: (bounds: { limit: number | undefined; offset: number | undefined }) => Promise<{ data: Page<Row> }>,
): Promise<Page<Row>> => {
  if (!all) return (await read({ limit, offset })).data;
  const progress = createProgress(terminal);
  const rows = new Map<string, Row>();
  const readAll = async (): Promise<Page<Row>> => {
    for (let from = 0; ; from += limits.pageSizeMax) {
      const { users, pagination } = (await read({ limit: limits.pageSizeMax, offset: from })).data;
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

type Shown<Row, Line> = {
  page: Page<Row>;
  lines: (rows: Row[]) => Line[];
  columns: (style: Style) => Column<Line>[];
  noun: string;
};

const show = <Row, Line>(
  { output, terminal }: Invocation,
  { page, lines, columns, noun }: Shown<Row, Line>,
): void => {
  output.result(page, ({ users }, style) =>
    listText(lines(users), { columns: columns(style), none: `No ${noun}.`, style }),
  );
  const { users, pagination } = page;
  // That there are none was the result already.
  const isSaid = pagination.total === 0 && terminal.isOutputTerminal;
  if (terminal.isErrorTerminal && !isSaid)
    output.note(`${users.length} of ${totalText(pagination)} ${noun}${nextText(pagination, users.length)}`);
};

/** The state of an account in a word. */
export const userState = ({ disabled, emailVerified }: ListedUser): string => {
  if (disabled) return "disabled";
  return emailVerified ? "verified" : "unverified";
};

// Enough to tell most addresses apart; the account is named by it.
const emailWidth = 24;

const columnsFor = (style: Style): Column<ListedUser>[] => [
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

const pendingColumns: Column<Registration>[] = [
  { heading: "EMAIL", cell: ({ email }) => email },
  { heading: "NAME", cell: ({ name }) => name },
  { heading: "MAILED", cell: ({ mailedAt }) => formatMinute(mailedAt), least: whole, isSpare: true },
  { heading: "REGISTERED", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
  { heading: "ENDS", cell: ({ expiresAt }) => formatMinute(expiresAt), least: whole, isSpare: true },
  { heading: "ID", cell: ({ id }) => id, least: whole },
];

const refuseContradictions = (options: UserListOptions): void => {
  const { pending, all, role, status, sort, order, limit, offset } = options;
  if (pending && (role !== undefined || status !== undefined))
    throw new CliFailure(
      "USAGE",
      "registrations have neither role nor status; leave --role and --status out",
    );
  if (pending && (sort !== undefined || order !== undefined))
    throw new CliFailure("USAGE", "registrations are listed newest first; leave --sort and --order out");
  if (all && (limit !== undefined || offset !== undefined))
    throw new CliFailure("USAGE", "--all is everything; leave --limit and --offset out");
};
