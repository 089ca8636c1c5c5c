import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { activityDays } from "./activity-days.ts";
import { activityStats } from "./activity-stats.ts";
import { getActivity } from "./get-activity.ts";
import { listActivity } from "./list-activity.ts";
import {
  activityDaysAnswer,
  activityDaysQuery,
  activityList,
  activityParams,
  activityStatsAnswer,
  activityStatsQuery,
  listActivityQuery,
  oneActivity,
} from "./model.ts";

const tags = ["Activity"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");

/** The calls by which admins read the activity log. */
export const activityRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin/activity" })
    .use(door)
    .get("", async ({ ctx, query }) => ({ success, data: await listActivity(ctx, query) }), {
      access: "admin",
      scope: "activity",
      query: listActivityQuery,
      response: { 200: activityList, ...reading, ...failures("VALIDATION_FAILED") },
      detail: {
        summary: "List activities",
        description:
          "Newest first, with exact total and sums of what the filters let through. `offset` skips rows; to read far, " +
          "give the last id of a page as `before` for the next: rows that arrive meanwhile move nothing. `search` looks " +
          "into actions, descriptions, email and IP addresses, plugins, types, statuses, severities and the beginning of " +
          "request ids, and counts 1,000 matches at most.",
        tags,
      },
    })
    .get("/stats", async ({ ctx, query }) => ({ success, data: await activityStats(ctx, query) }), {
      access: "admin",
      scope: "activity",
      query: activityStatsQuery,
      response: { 200: activityStatsAnswer, ...reading, ...failures("VALIDATION_FAILED") },
      detail: {
        summary: "The activity log in numbers",
        description:
          "Of what the filters let through: the total, sums by status, severity and type, the busiest plugins, security " +
          "events, failures, and how many came within the last 24 hours. Without filters, of the whole log. A search " +
          "counts 1,000 matches at most. What was recorded a moment ago is counted.",
        tags,
      },
    })
    .get("/days", async ({ ctx, query }) => ({ success, data: await activityDays(ctx, query) }), {
      access: "admin",
      scope: "activity",
      query: activityDaysQuery,
      response: { 200: activityDaysAnswer, ...reading, ...failures("VALIDATION_FAILED") },
      detail: { summary: "Activities by day", description: "The last days in UTC, the oldest first.", tags },
    })
    .get("/:id", async ({ ctx, params }) => ({ success, data: await getActivity(ctx, params) }), {
      access: "admin",
      scope: "activity",
      params: activityParams,
      response: { 200: oneActivity, ...reading, ...failures("NOT_FOUND") },
      detail: {
        summary: "Read an activity",
        description:
          "By its number in the log, with what was changed before and after where that was noted. 404 for a number that " +
          "there is not, or that was removed as too old.",
        tags,
      },
    });
