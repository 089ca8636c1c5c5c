import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { downloadAnswer } from "#api/modules/download.ts";
import { failures, fileAnswer } from "#api/modules/fields.ts";
import { deleteMessage } from "./delete-message.ts";
import { exportMessages } from "./export-messages.ts";
import { getMessage } from "./get-message.ts";
import { handleMessage } from "./handle-message.ts";
import { listMessages } from "./list-messages.ts";
import {
  changedMessage,
  contactBody,
  contactHeaders,
  exportMessagesQuery,
  handledBody,
  listMessagesQuery,
  messageAnswer,
  messageList,
  messageParams,
  oneMessage,
} from "./model.ts";
import { sendMessage } from "./send-message.ts";

const tags = ["Contact"];
const adminFailures = ["NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"] as const;
const writeFailures = ["CROSS_ORIGIN", "STORAGE_FULL"] as const;
const bodyFailures = [
  "BAD_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
] as const;

/** The call by which anybody writes to the people of the site. */
const publicRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/contact" })
    .use(door)
    .post(
      "",
      async ({ ctx, body, headers, status }) =>
        status(201, await sendMessage(ctx, { ...body, idempotencyKey: headers["idempotency-key"] ?? null })),
      {
        access: "public",
        body: contactBody,
        headers: contactHeaders,
        response: {
          201: messageAnswer,
          ...failures(
            ...bodyFailures,
            ...writeFailures,
            "IDEMPOTENCY_KEY_REUSED",
            "NOT_SIGNED_IN",
            "RATE_LIMITED",
            "DB_UNAVAILABLE",
          ),
        },
        detail: {
          summary: "Send a contact message",
          description:
            "Stored, and mailed where the server says whereto. The same `Idempotency-Key`, or without one the same " +
            "content within ten minutes, is the same message: it is answered alike and stored once.",
          tags,
        },
      },
    );

/** The calls by which admins read and tidy the messages. */
const messageRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin/contact" })
    .use(door)
    .get("", async ({ ctx, query }) => ({ success: true as const, data: await listMessages(ctx, query) }), {
      access: "admin",
      scope: "all",
      query: listMessagesQuery,
      response: { 200: messageList, ...failures(...adminFailures, "VALIDATION_FAILED") },
      detail: {
        summary: "List contact messages",
        description: "Newest first; `search` looks into names, addresses and texts.",
        tags,
      },
    })
    .get("/export", async ({ ctx, query }) => downloadAnswer(await exportMessages(ctx, query)), {
      access: "admin",
      scope: "all",
      query: exportMessagesQuery,
      response: {
        200: fileAnswer("text/csv", "The export, or with `format=ndjson` as application/x-ndjson"),
        ...failures(...adminFailures, "VALIDATION_FAILED"),
      },
      detail: {
        summary: "Export contact messages",
        description:
          "The newest 10,000 that match, as CSV (RFC 4180) or as one JSON object a line. In CSV a text that a " +
          "spreadsheet would run gets an apostrophe in front.",
        tags,
      },
    })
    .get(
      "/:id",
      async ({ ctx, params }) => ({ success: true as const, data: await getMessage(ctx, params) }),
      {
        access: "admin",
        scope: "all",
        params: messageParams,
        response: { 200: oneMessage, ...failures(...adminFailures, "NOT_FOUND") },
        detail: { summary: "Read a contact message", description: "It counts as read from then on.", tags },
      },
    )
    .put("/:id", ({ ctx, params, body }) => handleMessage(ctx, { ...params, ...body }), {
      access: "admin",
      scope: "all",
      params: messageParams,
      body: handledBody,
      response: {
        200: changedMessage,
        ...failures(...adminFailures, ...writeFailures, ...bodyFailures, "NOT_FOUND"),
      },
      detail: {
        summary: "Mark a contact message as handled, or open it again",
        description:
          "`handled: true` marks it, `false` opens it again; answers the message as it is then. Its writer is not told. " +
          "The change stands in the activity log.",
        tags,
      },
    })
    .delete("/:id", ({ ctx, params }) => deleteMessage(ctx, params), {
      access: "admin",
      scope: "all",
      params: messageParams,
      response: { 200: messageAnswer, ...failures(...adminFailures, ...writeFailures, "NOT_FOUND") },
      detail: {
        summary: "Delete a contact message",
        description:
          "Nothing brings it back. Its writer is not told. The deletion stands in the activity log.",
        tags,
      },
    });

/** All calls about contact messages. */
export const contactRoutes = (door: Door) => new Elysia().use(publicRoutes(door)).use(messageRoutes(door));
