import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { downloadAnswer } from "#api/modules/download.ts";
import { failures, fileAnswer } from "#api/modules/fields.ts";
import { cleanUpActivity } from "./clean-up-activity.ts";
import { exportActivity } from "./export-activity.ts";
import { getRetention } from "./get-retention.ts";
import {
  changedRetention,
  cleanUpAnswer,
  cleanUpQuery,
  exportActivityQuery,
  retentionAnswer,
  retentionBody,
  verifyAnswer,
  verifyQuery,
} from "./log-model.ts";
import { setRetention } from "./set-retention.ts";
import { verifyActivity } from "./verify-activity.ts";

const tags = ["Activity"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE", "VALIDATION_FAILED");
const writing = failures("CROSS_ORIGIN", "STORAGE_FULL");

/** The calls about the activity log as a whole: taking it out, tidying and proving it. */
export const activityLogRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin/activity" })
    .use(door)
    .get(
      "/export",
      async ({ ctx, query, request }) =>
        downloadAnswer(await exportActivity(ctx, { ...query, isHeadAlone: request.method === "HEAD" })),
      {
        access: "admin",
        scope: "activity",
        query: exportActivityQuery,
        response: {
          200: fileAnswer("text/csv", "The export, or with `format=ndjson` as application/x-ndjson"),
          ...reading,
        },
        detail: {
          summary: "Export activities",
          description:
            "The newest that match, 10,000 at most, as CSV (RFC 4180) or as one JSON object a line; each record is one line " +
            "and begins with the id. Give the last one as `before` for those behind. In CSV a text that a spreadsheet would " +
            "run gets an apostrophe in front. A search for less than three letters or digits looks at the newest 10,000 " +
            "activities alone; the header `x-atrium-searched-newest` then says so. The export itself is recorded.",
          tags,
        },
      },
    )
    .delete("/cleanup", ({ ctx, query }) => cleanUpActivity(ctx, query), {
      access: "admin",
      scope: "activity",
      mayTakeLong: true,
      query: cleanUpQuery,
      response: { 200: cleanUpAnswer, ...reading, ...writing, ...failures("BUSY") },
      detail: {
        summary: "Remove old activities for good",
        description:
          "Recorded before anything is removed. What remains can be proven as before. Interrupted, it can be called again.",
        tags,
      },
    })
    .get("/retention", async ({ ctx }) => ({ success, data: await getRetention(ctx) }), {
      access: "admin",
      scope: "activity",
      response: { 200: retentionAnswer, ...reading },
      detail: {
        summary: "How long activities are kept",
        description: "In whole days; older ones are removed once a day. `null`: all are kept.",
        tags,
      },
    })
    .put("/retention", ({ ctx, body }) => setRetention(ctx, body), {
      access: "admin",
      scope: "activity",
      body: retentionBody,
      response: {
        200: changedRetention,
        ...reading,
        ...writing,
        ...failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
      },
      detail: {
        summary: "Set how long activities are kept",
        description: "From then on older ones are removed once a day; `null` keeps all.",
        tags,
      },
    })
    .get("/verify", async ({ ctx, query }) => ({ success, data: await verifyActivity(ctx, query) }), {
      access: "admin",
      scope: "activity",
      query: verifyQuery,
      response: { 200: verifyAnswer, ...reading },
      detail: {
        summary: "Prove that the activity log is unaltered",
        description:
          "Computes anew the hashes of the activities behind `after` and compares them; go on with `through` until " +
          "`isComplete`. At the end of the log its seal, its beginning and its counts are checked too.",
        tags,
      },
    });
