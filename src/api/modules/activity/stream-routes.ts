import { Elysia, t } from "elysia";
import type { Door } from "#api/door/door.ts";
import { bodyOf } from "#api/modules/download.ts";
import { failures, fileAnswer, wholeNumberField } from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { activityTexts } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import { type ActivityStreams, streamActivity } from "./activity-streams.ts";
import { activityFilters } from "./contract/parts.ts";

/** The route by which admins watch activities live. */
export const activityStreamRoutes = (door: Door, streams: () => ActivityStreams) =>
  new Elysia({ prefix: "/api/admin/activity" }).use(door).get(
    "/stream",
    async ({ ctx, query, headers, request }) => {
      const resumed = headers["last-event-id"];
      const after = resumed === undefined ? query.after : Number(resumed);
      const pieces = await streamActivity(ctx, { ...query, after, streams: streams() });
      // A HEAD request reads nothing, and would occupy a stream without end.
      if (request.method === "HEAD") await pieces.return?.();
      return new Response(bodyOf(pieces), { headers: streamAnswerHeaders });
    },
    {
      access: "admin",
      scope: "activity",
      query: streamActivityQuery,
      headers: streamHeaders,
      response: {
        200: fileAnswer("text/event-stream", "A stream of events"),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "VALIDATION_FAILED", "BUSY", "DB_UNAVAILABLE"),
      },
      detail: {
        summary: "Watch activities live",
        description:
          "Server-sent events. `event: activity` carries an activity as JSON, with its id; `event: " +
          "gap` means that some were left out, for example after more than 1,000 were missed, and that " +
          "lists should be loaded again. Every few seconds a comment carries the id to resume from. " +
          "The stream ends with the session.",
        tags: ["Activity"],
      },
    },
  );

// Otherwise, proxies that buffer responses would hold events back.
const streamAnswerHeaders = { "content-type": "text/event-stream", "x-accel-buffering": "no" };

/** Which activities to stream, and after which one. */
const streamActivityQuery = t.Object(
  {
    ...activityFilters(kit),
    after: t.Optional(
      wholeNumberField({
        minimum: 0,
        maximum: limits.activityId,
        error: activityTexts.idInvalid,
        description: "Id of the last activity that the client has; without it, the stream begins now",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Sent by a browser that reconnects. */
const streamHeaders = t.Object({
  "last-event-id": t.Optional(
    t.String({
      pattern: "^[0-9]{1,15}$",
      description: "Like `after`, which it overrides",
      error: activityTexts.idInvalid,
    }),
  ),
});
