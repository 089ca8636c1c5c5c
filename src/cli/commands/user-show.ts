import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatMinute } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { type Column, formatFacts, formatTable, whole } from "#cli/table.ts";
import { userParam } from "#cli/user-param.ts";
import { userState } from "#cli/user-state.ts";
import { providerLabels, providerNames } from "#contract/users.ts";

type UserDetail = ApiAnswer<"GET /api/admin/users/:user">;
type Session = UserDetail["sessions"][number];

/** `user show`: one account with its open sessions. */
export const addUserShowCommand = (group: Command, cli: Cli): void => {
  group
    .command("show")
    .argument("<user>", "address or id of the account")
    .summary("show one account")
    .description("Shows an account with its ways to sign in and its open sessions.")
    .addHelpText(
      "after",
      examples(
        ["By address", "atrium user show ada@example.com"],
        [
          "Where somebody is signed in, for a script",
          "atrium user show ada@example.com --json | jq .sessions",
        ],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [typed = ""] = invocation.args;
        const user = await withClient(invocation, async (client) =>
          client.call("GET /api/admin/users/:user", { params: await userParam(client, { typed }) }),
        );
        invocation.output.result(user, detailText);
      }),
    );
};

const detailText = (user: UserDetail, style: Style): string => {
  const facts = formatFacts(
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
  return user.sessions.length === 0 ? facts : `${facts}\n\n${formatTable(columns, user.sessions, style)}`;
};

const waysIn = (user: UserDetail): string[] => {
  const linked = { google: user.googleId !== null, github: user.githubId !== null };
  const providers = providerNames.filter((name) => linked[name]).map((name) => providerLabels[name]);
  return user.hasPassword ? ["password", ...providers] : providers;
};

const columns: Column<Session>[] = [
  { heading: "DEVICE", cell: ({ device }) => device },
  { heading: "IP ADDRESS", cell: ({ ip }) => ip, least: whole },
  { heading: "LAST USED", cell: ({ lastUsedAt }) => formatMinute(lastUsedAt), least: whole },
  { heading: "SIGNED IN", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
];
