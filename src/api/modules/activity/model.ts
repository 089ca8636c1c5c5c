import { type Static, t } from "elysia";
import { dataOf, integer, ruled, totalIsEstimateField, wholeNumberField } from "#api/modules/fields.ts";
import type { Complaint } from "#contract/account-rules.ts";
import {
  activitySeverities,
  activityStatuses,
  activityTypes,
  actorKinds,
  shortSearchRows,
} from "#contract/activity.ts";
import { filterDateComplaint, pluginNamesComplaint, wordsComplaint } from "#contract/activity-rules.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { limits } from "#contract/limits.ts";

const known = { additionalProperties: false };

/** A filter that is not set when it is empty, as forms and links write it. */
const filter = (format: string, complaint: (text: string) => Complaint, description: string) =>
  t.Optional(ruled(format, (text) => (text === "" ? null : complaint(text)), { description }));

const words = (name: string, allowed: readonly string[]) =>
  filter(
    `atrium-activity-${name}`,
    wordsComplaint(allowed),
    `One or several of ${allowed.join(", ")}; with commas`,
  );
const date = filter(
  "atrium-filter-date",
  filterDateComplaint,
  "A day in UTC, `2026-01-31`, or a moment with its offset (RFC 3339)",
);

/** The filters that are exact matches. */
export const kindFilters = {
  type: words("type", activityTypes),
  pluginName: filter(
    "atrium-plugin-names",
    pluginNamesComplaint,
    "Names of plugins, with commas; `core` is Atrium itself",
  ),
  status: words("status", activityStatuses),
  severity: words("severity", activitySeverities),
  actorKind: words("actor-kind", actorKinds),
  security: t.Optional(
    t.Union([t.Literal("true"), t.Literal("false"), t.Literal("")], {
      description: "`true`: security events alone, critical ones and those about permissions",
      error: activityTexts.securityInvalid,
    }),
  ),
};

/** All filters of activities. */
export const activityFilters = {
  ...kindFilters,
  search: t.Optional(
    t.String({
      maxLength: limits.activitySearchLength,
      description:
        "Part of an action, a description, an email or IP address, a plugin's name, a type, status or severity, or the beginning of a request id; in any case",
      error: activityTexts.searchTooLong,
    }),
  ),
  startDate: date,
  endDate: date,
};

/** Where a page begins: only activities with a smaller number. */
export const beforeField = t.Optional(
  wholeNumberField({
    minimum: 1,
    maximum: limits.activityId,
    error: "Please give the id of an activity",
    description: "Only activities older than the one with this id",
  }),
);

/** Which activities are counted. */
export const activityStatsQuery = t.Object(activityFilters, known);
export type ActivityStatsInput = Static<typeof activityStatsQuery>;

/** Which activities are asked for; what is left out has its default, or is not filtered by. */
export const listActivityQuery = t.Object(
  {
    ...activityFilters,
    limit: wholeNumberField({
      minimum: 1,
      maximum: limits.pageSizeMax,
      default: limits.pageSize,
      error: `Please ask for 1 to ${limits.pageSizeMax} rows`,
    }),
    offset: wholeNumberField({
      minimum: 0,
      maximum: limits.activityOffset,
      default: 0,
      error: "Please begin at a whole number from 0",
    }),
    before: beforeField,
  },
  known,
);
export type ListActivityInput = Static<typeof listActivityQuery>;

export const activityDaysQuery = t.Object(
  {
    ...kindFilters,
    days: wholeNumberField({
      minimum: 1,
      maximum: limits.activityChartDays,
      default: 30,
      error: `Please ask for 1 to ${limits.activityChartDays} days`,
    }),
  },
  known,
);
export type ActivityDaysInput = Static<typeof activityDaysQuery>;

export const activityParams = t.Object({ id: t.String({ description: "The activity's id" }) });

/** An activity on the wire. */
export const activitySchema = t.Object({
  id: integer({ description: "Its number in the log: without gaps, the newest highest" }),
  timestamp: t.String({ format: "date-time" }),
  pluginName: t.String(),
  type: t.UnionEnum(activityTypes),
  action: t.String(),
  description: t.String(),
  status: t.UnionEnum(activityStatuses),
  severity: t.UnionEnum(activitySeverities),
  actorKind: t.UnionEnum(actorKinds),
  userId: t.Nullable(t.String()),
  userEmail: t.Nullable(t.String()),
  duration: t.Nullable(integer({ description: "In milliseconds" })),
  occurrences: integer({ description: "How many repeats within a minute are recorded as this one" }),
  requestId: t.Nullable(t.String()),
  ip: t.Nullable(t.String()),
  userAgent: t.Nullable(t.String()),
  changes: t.Nullable(t.Object({ before: t.Unknown(), after: t.Unknown() })),
});

const sums = t.Record(t.String(), integer());
const counts = {
  total: integer(),
  byStatus: sums,
  bySeverity: sums,
  byType: sums,
  pluginActivity: t.Array(t.Object({ pluginName: t.String(), count: integer() }), {
    description: "The busiest plugin first",
  }),
  securityEvents: integer({
    description: "Of critical severity, or of a type that is about security or permissions",
  }),
  coversNewest: t.Nullable(integer({ description: "Where not all matches are counted: how many are" })),
};

export const activityList = dataOf(
  t.Object({
    activities: t.Array(activitySchema),
    pagination: t.Object({
      total: integer(),
      limit: integer(),
      offset: integer(),
      totalIsEstimate: totalIsEstimateField,
      searchedNewest: t.Nullable(
        integer({
          description: `A search for less than three letters or digits looks at the newest ${shortSearchRows} activities alone`,
        }),
      ),
    }),
    stats: t.Object(counts, { description: "Of everything that the filters let through" }),
  }),
);
export type ActivityList = Static<typeof activityList>["data"];

export const activityStatsAnswer = dataOf(
  t.Object({ ...counts, last24Hours: integer(), failures: integer() }),
);
export type ActivityStats = Static<typeof activityStatsAnswer>["data"];

export const activityDaysAnswer = dataOf(
  t.Object({
    days: t.Array(
      t.Object({
        date: t.String({ format: "date" }),
        total: integer(),
        failures: integer(),
        securityEvents: integer(),
      }),
      { description: "Days in UTC, the oldest first, today last" },
    ),
  }),
);
export type ActivityDays = Static<typeof activityDaysAnswer>["data"];

export const oneActivity = dataOf(activitySchema);
