import type { Client as Operations } from "#api/operations.ts";
import { countOlder } from "#cli/count-older.ts";
import { counted } from "#cli/counted.ts";
import { formatCount } from "#cli/format.ts";
import { cleanupDays } from "#contract/activity.ts";
import type { OperationPlan } from "./plan.ts";
import { tokenPlans } from "./token-plans.ts";

/** Plans of operations whose own the server can't tell yet, by their names. */
export const operationPlans: {
  readonly "activity.setRetention": OperationPlan<Operations["activity"]["setRetention"]>;
  readonly "activity.cleanup": OperationPlan<Operations["activity"]["cleanup"]>;
} & typeof tokenPlans = {
  ...tokenPlans,
  "activity.setRetention": async (client, { days }) => {
    if (days === null) return "Would keep all activities until somebody cleans up";
    const count = await countOlder(client, days);
    const already = `${formatCount(count)} already ${count === 1 ? "is" : "are"}`;
    return `Would remove activities once they are older than ${counted(days, "day")}, as ${already}`;
  },
  "activity.cleanup": async (client, { days = cleanupDays.default } = {}) => {
    const count = await countOlder(client, days);
    const old = `that ${count === 1 ? "is" : "are"} older than ${counted(days, "day")}`;
    return `Would remove ${counted(count, "activity")} ${old} for good`;
  },
};
