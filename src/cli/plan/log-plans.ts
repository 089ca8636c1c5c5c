import { countOlder } from "#cli/count-older.ts";
import { counted } from "#cli/counted.ts";
import { formatCount } from "#cli/format.ts";
import type { Plans } from "./plan.ts";
import { tokenPlans } from "./token-plans.ts";
import { userPlans } from "./user-plans.ts";

/** The plans for activities. */
export const logPlans: Plans<"PUT /api/admin/activity/retention" | "DELETE /api/admin/activity/cleanup"> = {
  "PUT /api/admin/activity/retention": async (client, { body }) => {
    const days = body?.days ?? null;
    if (days === null) return "Would keep all activities until somebody cleans up";
    const count = await countOlder(client, days);
    const already = `${formatCount(count)} already ${count === 1 ? "is" : "are"}`;
    return `Would remove activities once they are older than ${counted(days, "day")}, as ${already}`;
  },
  "DELETE /api/admin/activity/cleanup": async (client, { query }) => {
    const days = Number(query?.days);
    const count = await countOlder(client, days);
    const old = `that ${count === 1 ? "is" : "are"} older than ${counted(days, "day")}`;
    return `Would remove ${counted(count, "activity")} ${old} for good`;
  },
};

/** Plans of operations whose own the server can't tell yet, by their names. */
export const operationPlans = { ...tokenPlans, ...userPlans };
