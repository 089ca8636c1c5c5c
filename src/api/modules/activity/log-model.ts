import { type Static, t } from "elysia";
import { dataOf, done, integer, wholeNumberField } from "#api/modules/fields.ts";
import { cleanupDays } from "#contract/activity.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { limits } from "#contract/limits.ts";
import { activityFilters, beforeField } from "./model.ts";

const known = { additionalProperties: false };
const bounds = {
  minimum: cleanupDays.least,
  maximum: cleanupDays.most,
  error: activityTexts.daysOutOfBounds,
};

/** Which activities are wanted as a file, how many at most, and in which form. */
export const exportActivityQuery = t.Object(
  {
    ...activityFilters,
    format: t.Union([t.Literal("csv"), t.Literal("ndjson")], {
      default: "csv",
      error: "Please choose csv or ndjson",
    }),
    limit: wholeNumberField({
      minimum: 1,
      maximum: limits.exportRows,
      default: limits.exportRows,
      error: `Please ask for 1 to ${limits.exportRows} rows`,
    }),
    before: beforeField,
  },
  known,
);
export type ExportActivityInput = Static<typeof exportActivityQuery>;

/** How old activities must be to be removed, in days. */
export const cleanUpQuery = t.Object(
  { days: wholeNumberField({ ...bounds, default: cleanupDays.default }) },
  known,
);
export type CleanUpInput = Static<typeof cleanUpQuery>;

export const cleanUpAnswer = done({ deletedCount: integer() });

/** For how many days activities are kept; `null` keeps them. Not `t.Integer`, which takes texts as well. */
export const retentionBody = t.Object(
  { days: t.Nullable(t.Number({ ...bounds, multipleOf: 1 }), bounds) },
  known,
);
export type Retention = Static<typeof retentionBody>;

export const retentionAnswer = dataOf(retentionBody);
export const changedRetention = done({ data: retentionBody });

/** Which part of the log is to be proven. */
export const verifyQuery = t.Object(
  {
    after: wholeNumberField({
      minimum: 0,
      maximum: limits.activityId,
      default: 0,
      error: "Please begin behind a whole number from 0",
    }),
    limit: wholeNumberField({
      minimum: 1,
      maximum: limits.verifiedRows,
      default: limits.verifiedRows,
      error: `Please ask for 1 to ${limits.verifiedRows} rows`,
    }),
  },
  known,
);
export type VerifyInput = Static<typeof verifyQuery>;

const rowMark = t.Object({ id: integer(), hash: t.String({ description: "SHA-256 in hexadecimal" }) });

export const verifyAnswer = dataOf(
  t.Object({
    checked: integer({ description: "How many activities were proven" }),
    through: integer({ description: "The last one that was" }),
    throughHash: t.String({ description: "Its hash" }),
    isComplete: t.Boolean({ description: "Whether that is the end of the log" }),
    head: t.Object(rowMark.properties, { description: "The newest activity" }),
    anchor: t.Object(rowMark.properties, { description: "The newest that was cleaned up; 0 before that" }),
    fault: t.Nullable(
      t.Object({ id: integer(), problem: t.String() }, { description: "The first that was found" }),
    ),
  }),
);
export type Verified = Static<typeof verifyAnswer>["data"];
