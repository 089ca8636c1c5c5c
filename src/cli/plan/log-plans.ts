import { backupPlans } from "./backup-plans.ts";
import { secretsPlans } from "./secrets-plans.ts";
import { settingsPlans } from "./settings-plans.ts";

/** Plans of operations whose own the server can't tell yet, by their names. */
export const operationPlans = { ...backupPlans, ...secretsPlans, ...settingsPlans };
