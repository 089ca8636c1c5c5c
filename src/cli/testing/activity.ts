import type { Activity } from "#api/modules/activity/contract.ts";
import { sampleActivity } from "#api/testing/sample-activity.ts";

/** An act of an admin as the API tells of it. */
export const activity = (id: number, parts: Partial<Activity> = {}): Activity =>
  sampleActivity(id, {
    timestamp: "2026-11-20T18:40:12.345Z",
    type: "admin_action",
    action: "Disabled a user",
    description: "bob@example.com",
    severity: "high",
    userId: "019a9f00-0000-7000-8000-000000000000",
    userEmail: "ada@example.com",
    duration: 1_250,
    ip: "203.0.113.7",
    ...parts,
  });

/** A page of the list as the API answers it. */
export const activityPage = (activities: Activity[], pagination: object = {}) => ({
  activities,
  pagination: {
    total: activities.length,
    limit: 25,
    offset: 0,
    totalIsEstimate: false,
    searchedNewest: null,
    ...pagination,
  },
  stats: {
    total: 3,
    byStatus: { success: 2, failure: 1 },
    bySeverity: { high: 3 },
    byType: { admin_action: 1, api_call: 2 },
    pluginActivity: [{ pluginName: "core", count: 3 }],
    securityEvents: 1,
    coversNewest: null,
  },
});
