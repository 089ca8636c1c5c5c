import type { Plans } from "./plans.ts";

/** The plans for API tokens, whose commands look for what stands against a change themselves. */
export const tokenPlans: Plans<
  | "POST /api/admin/tokens"
  | "PATCH /api/admin/tokens/:id"
  | "POST /api/admin/tokens/:id/revoke"
  | "DELETE /api/admin/tokens/:id"
> = {
  "POST /api/admin/tokens": async (_, { body }) => `Would create ${body?.name}`,
  "PATCH /api/admin/tokens/:id": async (_, { params }) => `Would change ${params?.id}`,
  "POST /api/admin/tokens/:id/revoke": async (_, { params }) => `Would revoke ${params?.id}`,
  "DELETE /api/admin/tokens/:id": async (_, { params }) => `Would remove ${params?.id}`,
};
