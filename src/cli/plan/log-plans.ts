import { tokenPlans } from "./token-plans.ts";

/** Plans of operations whose own the server can't tell yet, by their names. */
export const operationPlans = { ...tokenPlans };
