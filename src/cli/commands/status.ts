import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { openRunning } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes, formatDuration, formatMinute } from "#cli/format.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { formatFacts } from "#cli/table.ts";

type SystemInfo = ApiAnswer<"GET /api/system/info">;

/** `status`: how the running server is doing. */
export const addStatusCommand = (program: Command, cli: Cli): void => {
  program
    .command("status")
    .summary("how the running server is doing")
    .description(
      "Shows version, uptime, database, mail and accounts of the running server. Ends with 3 when none runs.",
    )
    .addHelpText(
      "after",
      examples(
        ["The server on this machine", "atrium status"],
        ["A server elsewhere", "ATRIUM_TOKEN=… atrium status --url https://atrium.example"],
        ["One figure, for a script", "atrium status --json | jq .database.sizeBytes"],
      ),
    )
    .action(
      handler(cli, async ({ composition, output, remote }) => {
        const client = await openRunning(composition, await remote());
        if (client === null) {
          throw new CliFailure(
            "UNREACHABLE",
            `no server runs on the data folder ${composition.dataDir}; start one with: atrium serve`,
          );
        }
        output.result(await client.call("GET /api/system/info"), statusText);
      }),
    );
};

const statusText = (info: SystemInfo, style: Style): string =>
  formatFacts(
    [
      ["Server", `running, public address ${info.appUrl}`],
      ["Version", info.version],
      ["Up", `${formatDuration(info.uptimeS)}, since ${formatMinute(info.startedAt)}`],
      ["Memory", `${formatBytes(info.node.rssBytes)} on ${info.node.cpus} processors`],
      ["Database", databaseText(info.database)],
      ["Mail", mailText(info.mail)],
      ["Accounts", accountsText(info.users)],
    ],
    style,
  );

const accountsText = ({ total, admins, pending }: SystemInfo["users"]): string => {
  const waiting = pending === 1 ? "1 registration waits" : `${pending} registrations wait`;
  return `${total}, of them ${admins} ${admins === 1 ? "administrator" : "administrators"}; ${waiting}`;
};

const databaseText = ({ kind, version, sizeBytes, latencyMs }: SystemInfo["database"]): string =>
  `${kind}, ${version}, ${formatBytes(sizeBytes)}, answers in ${latencyMs} ms`;

const mailText = ({ transport, waiting, dead }: SystemInfo["mail"]): string =>
  `${transport === "smtp" ? "SMTP" : "files in the outbox folder"}, ${waiting} waiting, ${dead} given up`;
