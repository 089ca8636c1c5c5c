import type { Command } from "commander";
import type { Client } from "#cli/client.ts";
import { countOlder } from "#cli/count-older.ts";
import { examples } from "#cli/examples.ts";
import { formatCount, formatDuration } from "#cli/format.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";
import { createProgress } from "#cli/progress.ts";
import { daysToKeep } from "#cli/whole-number.ts";
import { cleanupDays } from "#contract/activity.ts";
import { activityTexts } from "#contract/activity-texts.ts";

/** `activity cleanup`: removes old activities. */
export const addActivityCleanupCommand = (group: Command, cli: Cli): void => {
  group
    .command("cleanup")
    .summary("remove old activities for good")
    .description(
      "Removes the activities that are older than a number of days. Nothing brings them back. Asks first, with how many " +
        "there are. What remains can be proven as before: see activity verify.",
    )
    .option(
      "--days <days>",
      `how old, ${cleanupDays.least} to ${cleanupDays.most} days`,
      daysToKeep,
      cleanupDays.default,
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium activity cleanup --days 365"],
        ["In a script", "atrium activity cleanup --days 90 --yes --json | jq .deletedCount"],
        ["By itself from now on", "atrium activity retention set 90"],
      ),
    )
    .action(
      handler<{ days: number }>(cli, async (invocation, { days }) => {
        const deletedCount = await withClient(invocation, async (client) => {
          await invocation.confirm(async () => questionText(await countOlder(client, days), days));
          return cleanUp(invocation, { client, days });
        });
        invocation.output.result({ deletedCount }, () => activityTexts.cleanedUp(deletedCount));
      }),
    );
};

const questionText = (count: number, days: number): string => {
  const age = days === 1 ? "a day" : `${days} days`;
  if (count === 0) return `No activity is older than ${age}. Clean up all the same?`;
  return `Remove ${formatCount(count)} ${count === 1 ? "activity that is" : "activities that are"} older than ${age} for good?`;
};

const cleanUp = async (
  { terminal }: Invocation,
  { client, days }: { client: Client; days: number },
): Promise<number> => {
  const progress = createProgress(terminal);
  const startedAtMs = performance.now();
  const tell = () => {
    const seconds = Math.floor((performance.now() - startedAtMs) / 1000);
    progress.show(() => `Cleaning up; many activities take a while: ${formatDuration(seconds)}`);
  };
  tell();
  const timer = setInterval(tell, 1000);
  try {
    const query = { days };
    const answer = await client.call("DELETE /api/admin/activity/cleanup", { query, timeoutMs: null });
    return answer.deletedCount;
  } finally {
    clearInterval(timer);
    progress.end();
  }
};
