import { Elysia, t } from "elysia";
import type { Door } from "#api/door/door.ts";
import { bodyOf } from "#api/modules/download.ts";
import { failures, fileAnswer, wholeNumberField } from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { limits } from "#contract/limits.ts";
import { type ActivityStreams, streamActivity } from "./activity-streams.ts";
import { activityFilters } from "./contract/parts.ts";

/** The call by which admins watch activities as they happen. */
export const activityStreamRoutes = (door: Door, streams: () => ActivityStreams) =>
  new Elysia({ prefix: "/api/admin/activity" }).use(door).get(
    "/stream",
    async ({ ctx, query, headers, request }) => {
      const resumed = headers["last-event-id"];
      const after = resumed === undefined ? query.after : Number(resumed);
      const pieces = await streamActivity(ctx, { ...query, after, streams: streams() });
      // Who asks for the headers alone reads nothing, and would hold a place for ever.
      if (request.method === "HEAD") await pieces.return?.();
      return new Response(bodyOf(pieces), { headers: streamAnswerHeaders });
    },
    {
      access: "admin",
      scope: "activity",
      query: streamActivityQuery,
      headers: streamHeaders,
      response: {
        200: fileAnswer("text/event-stream", "Events, one after the other"),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "VALIDATION_FAILED", "BUSY", "DB_UNAVAILABLE"),
      },
      detail: {
        summary: "Watch activities live",
        description:
          "Server-sent events. `event: activity` brings an activity as JSON under its id; `event: gap` tells that some " +
          "were left out, after more than 1,000 were missed for example, so that lists are to be loaded again. " +
          "A comment comes every few seconds, with the id from which to resume. Ends with the session.",
        tags: ["Activity"],
      },
    },
  );

// Proxies that collect answers before they pass them on would keep the news back.
const streamAnswerHeaders = { "content-type": "text/event-stream", "x-accel-buffering": "no" };

/** Which activities are wanted live, and behind which one. */
const streamActivityQuery = t.Object(
  {
    ...activityFilters(kit),
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
const streamHeaders = t.Object({
  "last-event-id": t.Optional(
    t.String({
      pattern: "^[0-9]{1,15}$",
      description: "As `after`, and before it",
      error: activityTexts.idInvalid,
    }),
  ),
});
