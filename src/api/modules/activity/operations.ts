import { implement } from "#api/core/implement.ts";
import { activityDays } from "./activity-days.ts";
import { activityStats } from "./activity-stats.ts";
import { cleanUpActivity, planActivityCleanUp } from "./clean-up-activity.ts";
import { activityContract } from "./contract.ts";
import { exportActivity } from "./export-activity.ts";
import { getActivity } from "./get-activity.ts";
import { getRetention } from "./get-retention.ts";
import { listActivity } from "./list-activity.ts";
import { planRetention, setRetention } from "./set-retention.ts";
import { verifyActivity } from "./verify-activity.ts";

/** What does the operations on the activity log. */
export const activityOperations = implement("activity", activityContract, {
  list: listActivity,
  get: getActivity,
  stats: activityStats,
  days: activityDays,
  export: exportActivity,
  verify: verifyActivity,
  retention: getRetention,
  setRetention: { run: setRetention, plan: planRetention },
  cleanup: { run: cleanUpActivity, plan: planActivityCleanUp },
});
