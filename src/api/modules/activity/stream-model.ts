import { t } from "elysia";
import { wholeNumberField } from "#api/modules/fields.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { limits } from "#contract/limits.ts";
import { activityFilters } from "./model.ts";

/** Which activities are wanted live, and behind which one. */
export const streamActivityQuery = t.Object(
  {
    ...activityFilters,
    after: t.Optional(
      wholeNumberField({
        minimum: 0,
        maximum: limits.activityId,
        error: activityTexts.idInvalid,
        description: "The id of the last activity that the caller has; without it the stream begins now",
      }),
    ),
  },
  { additionalProperties: false },
);

/** What a browser sends when it comes back after the line was cut. */
export const streamHeaders = t.Object({
  "last-event-id": t.Optional(
    t.String({
      pattern: "^[0-9]{1,15}$",
      description: "As `after`, and before it",
      error: activityTexts.idInvalid,
    }),
  ),
});
