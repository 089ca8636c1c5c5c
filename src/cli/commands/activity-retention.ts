import { type Command, InvalidArgumentError } from "commander";
import { countOlder } from "#cli/count-older.ts";
import { examples } from "#cli/examples.ts";
import { formatCount } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";
import { daysToKeep } from "#cli/whole-number.ts";
import { cleanupDays } from "#contract/activity.ts";
import { activityTexts } from "#contract/activity-texts.ts";

/** `activity retention show|set`: for how long activities are kept. */
export const addActivityRetentionCommands = (group: Command, cli: Cli): void => {
  const retention = group
    .command("retention")
    .summary("for how long activities are kept")
    .description("For how long activities are kept before the server removes them by itself");
  addShow(retention, cli);
  addSet(retention, cli);
};

const addShow = (retention: Command, cli: Cli): void => {
  retention
    .command("show")
    .summary("show for how long")
    .description(
      "Shows for how many days activities are kept, or that they are kept until somebody cleans up.",
    )
    .addHelpText(
      "after",
      examples(
        ["In words", "atrium activity retention show"],
        ["The days alone, for a script", "atrium activity retention show --json | jq .days"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const answer = await withClient(invocation, (client) =>
          client.call("GET /api/admin/activity/retention"),
        );
        invocation.output.result(answer, ({ days }) => activityTexts.kept(days));
      }),
    );
};

const addSet = (retention: Command, cli: Cli): void => {
  retention
    .command("set")
    .argument("<days>", `${cleanupDays.least} to ${cleanupDays.most}, or off to keep all`, daysOrOff)
    .summary("choose for how long")
    .description(
      "Chooses after how many days the server removes activities by itself, or with off that it removes none. Before a " +
        "number of days it asks, with how many activities are older already.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["A year", "atrium activity retention set 365"],
        ["Everything, until somebody cleans up", "atrium activity retention set off"],
        ["In a script", "atrium activity retention set 90 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const days = daysOrOff(invocation.args[0] ?? "");
        const answer = await withClient(invocation, async (client) => {
          if (days !== null)
            await invocation.confirm(async () => questionText(await countOlder(client, days), days));
          return client.call("PUT /api/admin/activity/retention", { body: { days } });
        });
        invocation.output.result(answer, (chosen) => activityTexts.kept(chosen.days));
      }),
    );
};

const questionText = (count: number, days: number): string =>
  `Remove activities for good once they are older than ${days} ${days === 1 ? "day" : "days"}, as ${formatCount(count)} already are?`;

const daysOrOff = (text: string): number | null => {
  if (text === "off") return null;
  try {
    return daysToKeep(text);
  } catch {
    throw new InvalidArgumentError(
      `It must be a number of days from ${cleanupDays.least} to ${cleanupDays.most}, or off.`,
    );
  }
};
