import { keyPlans } from "./key-plans.ts";
import type { ChangeName, Plans } from "./plan.ts";
import { pluginPlans } from "./plugin-plans.ts";

/** What each call that changes something would do: one without a plan does not compile. */
export const plans: Plans<ChangeName> = {
  ...pluginPlans,
  ...keyPlans,
};
