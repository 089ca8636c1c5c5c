import { InvalidArgumentError } from "commander";
import type { CleanUpInput } from "#api/modules/activity/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { daysToKeep } from "#cli/operations/typed-values.ts";
import { formatCount, formatDuration } from "#cli/terminal/format.ts";
import { createProgress } from "#cli/terminal/progress.ts";
import { activityTexts, cleanupDays } from "#contract/activity.ts";
import type { View } from "../../operations/declared-command.ts";

/** `activity cleanup`: asks with how many there are, and tells for how long it has been at work. */
export const cleanUpView: View<never, CleanUpInput> = {
  run: async (invocation, _, { days }) => {
    const deletedCount = await withClient(invocation, async (client) => {
      await invocation.confirm(async () => questionText(await countOlder(client, days), days));
      return cleanUp(invocation, { client, days });
    });
    invocation.output.result({ deletedCount }, () => activityTexts.cleanedUp(deletedCount));
  },
};

const questionText = (count: number, days: number): string => {
  const age = days === 1 ? "a day" : `${days} days`;
  if (count === 0) return `No activity is older than ${age}. Clean up anyway?`;
  return `Remove ${formatCount(count)} ${count === 1 ? "activity that is" : "activities that are"} older than ${age} permanently?`;
};

const cleanUp = async (
  { terminal }: Invocation,
  { client, days }: { client: Client; days: number },
): Promise<number> => {
  const progress = createProgress(terminal);
  const startedAtMs = performance.now();
  const tell = () => {
    const seconds = Math.floor((performance.now() - startedAtMs) / 1000);
    progress.show(() => `Cleaning up; this can take a while: ${formatDuration(seconds)}`);
  };
  tell();
  const timer = setInterval(tell, 1000);
  try {
    return (await operationsOf(client).activity.cleanup({ days })).deletedCount;
  } finally {
    clearInterval(timer);
    progress.end();
  }
};

/** For how many days activities are kept, as it is typed; `null` for off. */
export const daysOrOff = (text: string): number | null => {
  if (text === "off") return null;
  try {
    return daysToKeep(text);
  } catch {
    throw new InvalidArgumentError(
      `It must be a number of days from ${cleanupDays.least} to ${cleanupDays.most}, or off.`,
    );
  }
};

/** How many activities are older than a number of days. */
export const countOlder = async (client: Client, days: number): Promise<number> => {
  const endDate = new Date(Date.now() - days * dayMs).toISOString();
  return (await operationsOf(client).activity.list({ endDate, limit: 1 })).data.pagination.total;
};

const dayMs = 86_400_000;
