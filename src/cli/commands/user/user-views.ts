import { readFile } from "node:fs/promises";
import type { Invitation, InvitationList, InvitationResults } from "#api/modules/invitations/contract.ts";
import type {
  AccountState,
  ListedUser,
  PendingUser,
  UserDetail,
  UserFactors,
} from "#api/modules/users/contract.ts";
import { operationsOf } from "#cli/client/client.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { formatCount, formatMinute, nextText, totalText } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { type Column, columnsOf, formatFacts, formatTable, whole } from "#cli/terminal/table.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";
import {
  emailComplaint,
  emailsIn,
  lineWithoutEmail,
  nameComplaint,
  passwordComplaint,
} from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { labelled, userFields } from "#contract/field-marks.ts";
import { limits } from "#contract/limits.ts";
import type { FactorWay } from "#contract/proof.ts";
import { providerLabels, providerNames, type Role, type SortOrder, type UserSort } from "#contract/users.ts";
import { listText, type View } from "../../operations/declared-command.ts";

type Bounds = { limit?: number; offset?: number };
type UserListOptions = Bounds & {
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
const listUsers = async (invocation: Invocation, options: UserListOptions): Promise<void> => {
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
const userState = ({ disabled, emailVerified }: ListedUser): string => {
  if (disabled) return "disabled";
  return emailVerified ? "verified" : "unverified";
};

// Enough to tell most addresses apart; the account is named by it.
const emailWidth = 24;

const userColumn = columnsOf<ListedUser>(userFields);
const pendingColumn = columnsOf<Registration>(userFields);
const invitationColumn = columnsOf<Invitation>(userFields);

const columnsFor = (style: Style): Column<ListedUser>[] => [
  userColumn("email", { least: emailWidth }),
  userColumn("name"),
  userColumn("role", { paint: (text, { role }) => (role === "admin" ? style.yellow(text) : text) }),
  userColumn("disabled", {
    cell: userState,
    paint: (text, { disabled }) => (disabled ? style.red(text) : text),
  }),
  userColumn("lastSeenAt", { as: formatMinute, least: whole }),
  userColumn("createdAt", { as: formatMinute, least: whole, isSpare: true }),
];

const pendingColumns: Column<Registration>[] = [
  pendingColumn("email"),
  pendingColumn("name"),
  { heading: "EMAILED", cell: ({ mailedAt }) => formatMinute(mailedAt), least: whole, isSpare: true },
  { heading: "REGISTERED", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
  { heading: "ENDS", cell: ({ expiresAt }) => formatMinute(expiresAt), least: whole, isSpare: true },
  { heading: "ID", cell: ({ id }) => id, least: whole },
];

const refuseContradictions = (options: UserListOptions): void => {
  const { pending, all, role, status, sort, order, limit, offset } = options;
  if (pending && (role !== undefined || status !== undefined))
    throw usage("registrations have no role or status; remove --role and --status");
  if (pending && (sort !== undefined || order !== undefined))
    throw usage("registrations are always listed newest first; remove --sort and --order");
  if (all && (limit !== undefined || offset !== undefined))
    throw usage("--all lists everything; remove --limit and --offset");
};

/**
 * A new password: from standard input, without the line break at its end, or asked for twice. Throws `USAGE` when there
 * is no terminal, and `VALIDATION_FAILED` when the two differ or the length is not accepted.
 */
const passwordFrom = async (terminal: Terminal, how: { isFromInput: boolean }): Promise<string> => {
  const password = how.isFromInput ? await readPassword(terminal) : await askTwice(terminal);
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw refused(complaint);
  return password;
};

const readPassword = async (terminal: Terminal): Promise<string> => {
  const bytes = await terminal.readInput();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (error) {
    throw usage("the password on standard input is not valid UTF-8", { cause: error });
  }
};

const askTwice = async (terminal: Terminal): Promise<string> => {
  if (!terminal.isInputTerminal) {
    throw usage(
      "cannot ask for the password without a terminal: give it on standard input with --password-stdin",
    );
  }
  const password = await terminal.askSecret("Password");
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw refused(complaint);
  if ((await terminal.askSecret("Repeat the password")) !== password)
    throw refused(authTexts.passwordsDiffer);
  return password;
};

const refused = (message: string): CliFailure =>
  new CliFailure("VALIDATION_FAILED", message, { errors: [{ path: "password", message }] });

type NewPerson = PasswordOptions & { email: string; name: string; role?: Role };

type PasswordOptions = { passwordStdin?: true };

/** A password that is asked for, or read from standard input. */
const newPassword = async ({ terminal, isPlan }: Invocation, { passwordStdin }: PasswordOptions) => {
  // A plan asks for none: what it tells is the same for any that will do.
  const isFromInput = passwordStdin === true;
  return { password: isPlan ? crypto.randomUUID() : await passwordFrom(terminal, { isFromInput }) };
};

/** What a new account is made of: its password is asked for, or read from standard input. */
const newPerson = async (invocation: Invocation, { email, name, role, ...options }: NewPerson) => {
  refuseUnusable({ email, name });
  return { email, name, role, ...(await newPassword(invocation, options)) };
};

/** Checks what the server would reject anyway, before a password is typed twice. */
const refuseUnusable = ({ email, name }: NewPerson): void => {
  const errors = [
    { path: "email", message: emailComplaint(email) },
    { path: "name", message: nameComplaint(name) },
  ].flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (errors.length > 0)
    throw new CliFailure("VALIDATION_FAILED", errors[0]?.message ?? errorTexts.VALIDATION_FAILED, { errors });
};

type InviteOptions = { role: Role; expires?: number; note?: string };

/** Whom to invite: addresses as they were typed, and those in files. */
const invitationsOf = async ({ args }: Invocation, { role, expires, note }: InviteOptions) => {
  const emails: string[] = [];
  for (const word of args) emails.push(...(word.includes("@") ? [word] : await emailsInFile(word)));
  const wishes = { role, ...(expires === undefined ? {} : { expiresInDays: expires }) };
  return {
    invitations: [...new Set(emails)].map((email) => ({ email, ...wishes })),
    ...(note === undefined ? {} : { note }),
  };
};

const emailsInFile = async (file: string): Promise<string[]> => {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw usage(`${printable(file)} is neither an email address nor a file that can be read`, { cause });
  });
  const without = lineWithoutEmail(text);
  if (without !== null) throw usage(`${printable(file)} has no email address in line ${without}`);
  const emails = emailsIn(text);
  if (emails.length === 0) throw usage(`${printable(file)} has no email addresses`);
  return emails;
};

const skipReasons = {
  account: "has an account",
  waiting: "has a waiting invitation",
  limit: "was not emailed: too many invitations lately",
} as const;

const resultText = ({ email, reason }: InvitationResults["results"][number]): string =>
  `${printable(email)} ${reason === null ? "was invited" : skipReasons[reason]}`;

const invitationColumns: Column<Invitation>[] = [
  invitationColumn("email"),
  invitationColumn("role"),
  { heading: "STATE", cell: ({ state }) => state, least: whole },
  { heading: "INVITED BY", cell: ({ invitedBy }) => invitedBy ?? "operator" },
  { heading: "EXPIRES", cell: ({ expiresAt }) => formatMinute(expiresAt), least: whole },
  { heading: "ID", cell: ({ id }) => id, least: whole, isSpare: true },
];

/** How the commands about accounts show what is answered, and what they ask. */
export const userViews = {
  "user list": { run: listUsers } satisfies View<never, never, UserListOptions>,
  "user show": {
    text: (user, style) => {
      const facts = factsOf(user, style);
      return user.sessions.length === 0
        ? facts
        : `${facts}\n\n${formatTable(sessionColumns, user.sessions, style)}`;
    },
  } satisfies View<UserDetail>,
  "user factors": {
    text: ({ factors }, style) =>
      listText(factors, { columns: factorColumns, none: "No second factor.", style }),
  } satisfies View<UserFactors>,
  "user create": { input: newPerson } satisfies View<never, never, NewPerson>,
  "admin create": { input: newPerson } satisfies View<never, never, NewPerson>,
  "user set-password": { input: newPassword } satisfies View<never, never, PasswordOptions>,
  "user disable": {
    question: ({ name, email, sessionCount }) =>
      printable(`Disable ${name} <${email}>${endingWords(sessionCount)}?`),
  } satisfies View<AccountState, UserDetail>,
  "user send-reset": {
    text: ({ email }, _, { isServer }) => {
      const when = isServer ? "" : " when the server starts; no server is running";
      return `A link to choose a new password is sent to ${printable(email)}${when}`;
    },
  } satisfies View<{ email: string }>,
  "user invite": {
    input: invitationsOf,
    text: ({ results }) => results.map(resultText).join("\n"),
  } satisfies View<InvitationResults, never, InviteOptions>,
  "user invitations": {
    text: ({ invitations }, style) =>
      listText(invitations, { columns: invitationColumns, none: "No invitations.", style }),
    counted: ({ invitations, pagination }) =>
      `${invitations.length} of ${pagination.total} invitations${nextText({ ...pagination, totalIsEstimate: false }, invitations.length)}`,
    isNone: ({ pagination }) => pagination.total === 0,
  } satisfies View<InvitationList>,
  "user end-sessions": {
    text: ({ ended }) =>
      ended === 0
        ? "There are no active sessions; nothing was changed"
        : `Ended ${ended} ${ended === 1 ? "session" : "sessions"}`,
  } satisfies View<{ ended: number }>,
};

const wayNames = { passkey: "passkey", code: "authenticator app", recovery: "recovery codes" } as const;

const factorNotes = ({ name, left, blockedAt }: UserFactors["factors"][number]): string =>
  [name, left === null ? null : `${left} left`, blockedAt && `blocked since ${formatMinute(blockedAt)}`]
    .filter((note) => note !== null)
    .join(", ");

const factorColumns: Column<UserFactors["factors"][number]>[] = [
  { heading: "KIND", cell: ({ way }) => wayNames[way], least: whole },
  { heading: "NAME", cell: factorNotes },
  { heading: "ADDED", cell: ({ addedAt }) => formatMinute(addedAt), least: whole },
  { heading: "LAST USED", cell: ({ lastUsedAt }) => formatMinute(lastUsedAt), least: whole },
];

const endingWords = (sessions: number): string => {
  if (sessions === 0) return "";
  return sessions === 1 ? " and end their session" : ` and end their ${sessions} sessions`;
};

const factsOf = (user: UserDetail, style: Style): string =>
  formatFacts(
    labelled(userFields, {
      id: user.id,
      name: user.name,
      email: user.email,
      role: user.isLastAdmin ? `${user.role}, the last one` : user.role,
      disabled: userState(user),
      hasPassword: waysIn(user).join(", ") || "none",
      secondFactor: factorOf(user),
      createdAt: formatMinute(user.createdAt),
      lastSeenAt: formatMinute(user.lastSeenAt),
      sessions: String(user.sessionCount),
    }),
    style,
  );

const factorOf = ({ secondFactor }: UserDetail): string | null => {
  // Servers before version 1.2 don't tell.
  if (secondFactor === undefined) return null;
  if (secondFactor === null) return "none";
  const { ways, enabledAt, recoveryCodesLeft } = secondFactor;
  return `${factorNames(ways)} since ${formatMinute(enabledAt)}, ${recoveryCodesLeft} recovery codes left`;
};

const factorNames = (ways: FactorWay[]): string =>
  [
    ...(ways.includes("passkey") ? ["passkeys"] : []),
    ...(ways.includes("code") ? ["authenticator app"] : []),
  ].join(" and ");

const waysIn = (user: UserDetail): string[] => {
  const linked = { google: user.googleId !== null, github: user.githubId !== null };
  const providers = providerNames.filter((name) => linked[name]).map((name) => providerLabels[name]);
  return user.hasPassword ? ["password", ...providers] : providers;
};

const sessionColumns: Column<UserDetail["sessions"][number]>[] = [
  { heading: "DEVICE", cell: ({ device }) => device },
  { heading: "IP ADDRESS", cell: ({ ip }) => ip, least: whole },
  { heading: "LAST USED", cell: ({ lastUsedAt }) => formatMinute(lastUsedAt), least: whole },
  { heading: "SIGNED IN", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
];
