import type { AnswerOf, CommandGroup, InputOf } from "#contract/operation.ts";
import { logContract } from "./contract/log.ts";
import { readingContract } from "./contract/reading.ts";

/** The command group of the activity log. */
export const activityGroup: CommandGroup = {
  word: "activity",
  summary: "activity log",
  description: "The log of what was done in the installation, by whom, and whether it succeeded",
  groups: {
    retention: {
      summary: "how long activities are kept",
      description: "How long activities are kept before the server removes them automatically",
    },
  },
};

/** The operations on the activity log. The live stream is a separate route. */
export const activityContract = { ...readingContract, ...logContract };

/** One activity. `id` is its number in the log; times are ISO 8601 in UTC. */
export type Activity = AnswerOf<typeof activityContract.get>;
/** One page of activities, with the counts of all matching ones. */
export type ActivityList = AnswerOf<typeof activityContract.list>;
/** Which activities to list; filters that are left out are not applied. */
export type ListActivityInput = InputOf<typeof activityContract.list>;
export type ActivityStats = AnswerOf<typeof activityContract.stats>;
export type ActivityStatsInput = InputOf<typeof activityContract.stats>;
export type ActivityDays = AnswerOf<typeof activityContract.days>;
export type ActivityDaysInput = InputOf<typeof activityContract.days>;
export type ExportActivityInput = InputOf<typeof activityContract.export>;
export type Retention = AnswerOf<typeof activityContract.retention>;
export type CleanUpInput = InputOf<typeof activityContract.cleanup>;
/** How far the log was verified, and the first fault that was found. */
export type Verified = AnswerOf<typeof activityContract.verify>;
export type VerifyInput = InputOf<typeof activityContract.verify>;
