import type { AccountState, UserDetail } from "#api/modules/users/contract.ts";
import { passwordFrom } from "#cli/ask-password.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatMinute } from "#cli/format.ts";
import type { Invocation } from "#cli/invocation.ts";
import { printable, type Style } from "#cli/output.ts";
import { type Column, formatFacts, formatTable, whole } from "#cli/table.ts";
import { emailComplaint, nameComplaint } from "#contract/account-rules.ts";
import { errorTexts } from "#contract/errors.ts";
import { providerLabels, providerNames, type Role } from "#contract/users.ts";
import { listUsers, type UserListOptions, userState } from "./user-list.ts";
import type { View } from "./view.ts";

type NewPerson = { email: string; name: string; role?: Role; passwordStdin?: true };

/** What a new account is made of: its password is asked for, or read from standard input. */
const newPerson = async (
  { terminal, isPlan }: Invocation,
  { email, name, role, passwordStdin }: NewPerson,
) => {
  refuseUnusable({ email, name });
  // A plan asks for none: what it tells is the same for any that will do.
  const isFromInput = passwordStdin === true;
  return {
    email,
    name,
    role,
    password: isPlan ? crypto.randomUUID() : await passwordFrom(terminal, { isFromInput }),
  };
};

/** What the server would refuse anyway, before anybody types a password twice. */
const refuseUnusable = ({ email, name }: NewPerson): void => {
  const errors = [
    { path: "email", message: emailComplaint(email) },
    { path: "name", message: nameComplaint(name) },
  ].flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (errors.length > 0)
    throw new CliFailure("VALIDATION_FAILED", errors[0]?.message ?? errorTexts.VALIDATION_FAILED, { errors });
};

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
  "user create": { input: newPerson } satisfies View<never, never, NewPerson>,
  "admin create": { input: newPerson } satisfies View<never, never, NewPerson>,
  "user disable": {
    question: ({ name, email, sessionCount }) =>
      printable(`Disable ${name} <${email}>${endingWords(sessionCount)}?`),
  } satisfies View<AccountState, UserDetail>,
  "user send-reset": {
    text: ({ email }, _, { isServer }) => {
      const when = isServer ? "" : " once the server starts; none is running";
      return `A link to choose a new password goes to ${printable(email)}${when}`;
    },
  } satisfies View<{ email: string }>,
  "user end-sessions": {
    text: ({ ended }) =>
      ended === 0
        ? "There are no open sessions; nothing was changed"
        : `Ended ${ended} ${ended === 1 ? "session" : "sessions"}`,
  } satisfies View<{ ended: number }>,
};

const endingWords = (sessions: number): string => {
  if (sessions === 0) return "";
  return sessions === 1 ? " and end their session" : ` and end their ${sessions} sessions`;
};

const factsOf = (user: UserDetail, style: Style): string =>
  formatFacts(
    [
      ["Id", user.id],
      ["Name", user.name],
      ["Email", user.email],
      ["Role", user.isLastAdmin ? `${user.role}, the last one` : user.role],
      ["State", userState(user)],
      ["Signs in with", waysIn(user).join(", ") || "nothing yet"],
      ["Created", formatMinute(user.createdAt)],
      ["Last seen", formatMinute(user.lastSeenAt)],
      ["Sessions", String(user.sessionCount)],
    ],
    style,
  );

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
