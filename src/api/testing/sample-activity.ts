import type { Activity } from "#api/modules/activity/contract.ts";

/** An activity as the API tells of it, plain but for the `parts` that a test is about. */
export const sampleActivity = (id: number, parts: Partial<Activity> = {}): Activity => ({
  id,
  timestamp: "2026-01-31T12:00:00.000Z",
  pluginName: "core",
  type: "api_call",
  action: `Call ${id}`,
  description: "",
  status: "success",
  severity: "low",
  actorKind: "user",
  userId: null,
  userEmail: null,
  duration: null,
  occurrences: 1,
  requestId: null,
  ip: null,
  userAgent: null,
  changes: null,
  ...parts,
});
