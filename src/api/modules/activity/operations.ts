import { implement } from "#api/core/implement.ts";
import { activityContract } from "./contract.ts";
import { exportActivity } from "./export-activity.ts";
import { activityDays, activityStats, getActivity, listActivity } from "./read-activity.ts";
import {
  cleanUpActivity,
  getRetention,
  planActivityCleanUp,
  planRetention,
  setRetention,
} from "./retention.ts";
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
