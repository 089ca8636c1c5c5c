import { backupPlans } from "./backup-plans.ts";
import { keyPlans } from "./key-plans.ts";
import { logPlans } from "./log-plans.ts";
import type { ChangeName, Plans } from "./plan.ts";
import { pluginPlans } from "./plugin-plans.ts";
import { settingsPlans } from "./settings-plans.ts";
import { tokenPlans } from "./token-plans.ts";
import { userPlans } from "./user-plans.ts";

/** What each call that changes something would do: one without a plan does not compile. */
export const plans: Plans<ChangeName> = {
  ...userPlans,
  ...logPlans,
  ...settingsPlans,
  ...pluginPlans,
  ...keyPlans,
  ...tokenPlans,
  ...backupPlans,
};
