import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures, testAnswer } from "#api/modules/fields.ts";
import { discardMail } from "./discard-mail.ts";
import { getMail } from "./get-mail.ts";
import { listMails } from "./list-mails.ts";
import {
  changedMail,
  listMailsQuery,
  mailList,
  mailParams,
  mailState,
  oneMail,
  retriedMails,
  testMailBody,
} from "./model.ts";
import { readMailState } from "./read-mail-state.ts";
import { retryDeadMails } from "./retry-dead-mails.ts";
import { retryMail } from "./retry-mail.ts";
import { sendTestMail } from "./send-test-mail.ts";

const tags = ["Mail"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");
const writing = failures("CROSS_ORIGIN", "STORAGE_FULL");

/** The calls by which admins look after the outbox. */
const outboxRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin" })
    .use(door)
    .get("/mail", async ({ ctx }) => ({ success, data: await readMailState(ctx) }), {
      access: "admin",
      scope: "settings",
      response: { 200: mailState, ...reading },
      detail: {
        summary: "How mails leave, how that goes, and how many there are",
        description:
          "By which way and from which address mails go out, through which server if one is set up, whether the last " +
          "try of the process that answers got through, and if not why. `counts` are of all mails, on whichever server " +
          "they were written.",
        tags,
      },
    })
    .get("/mails", async ({ ctx, query }) => ({ success, data: await listMails(ctx, query) }), {
      access: "admin",
      scope: "all",
      query: listMailsQuery,
      response: { 200: mailList, ...reading, ...failures("VALIDATION_FAILED") },
      detail: {
        summary: "List the mails of the outbox",
        description:
          "Newest first; `search` looks into recipients and subjects. Texts and links are never told.",
        tags,
      },
    })
    .post("/mails/retry", ({ ctx }) => retryDeadMails(ctx), {
      access: "admin",
      scope: "all",
      response: { 200: retriedMails, ...reading, ...writing },
      detail: {
        summary: "Try all mails again that were given up",
        description:
          "Makes each of them due at once, discarded ones excepted, and answers how many those are; they leave after " +
          "that, as far as the mail server takes them. Stands in the activity log, unless there were none.",
        tags,
      },
    })
    .get("/mails/:id", async ({ ctx, params }) => ({ success, data: await getMail(ctx, params) }), {
      access: "admin",
      scope: "all",
      params: mailParams,
      response: { 200: oneMail, ...reading, ...failures("NOT_FOUND") },
      detail: {
        summary: "One mail, without its text",
        description:
          "Recipient, subject, state, how often it was tried, when it is next and what went wrong last. Text and links " +
          "are never told.",
        tags,
      },
    })
    .post("/mails/:id/retry", ({ ctx, params }) => retryMail(ctx, params), {
      access: "admin",
      scope: "all",
      params: mailParams,
      response: { 200: changedMail, ...reading, ...writing, ...failures("NOT_FOUND", "CONFLICT") },
      detail: {
        summary: "Try a mail again at once that waits or was given up",
        description:
          "Makes it due at once and answers it as it is then: due, not yet sent. `CONFLICT` for a mail that has left or " +
          "was discarded. Stands in the activity log.",
        tags,
      },
    })
    .delete("/mails/:id", ({ ctx, params }) => discardMail(ctx, params), {
      access: "admin",
      scope: "all",
      params: mailParams,
      response: { 200: changedMail, ...reading, ...writing, ...failures("NOT_FOUND", "CONFLICT") },
      detail: {
        summary: "Discard a mail that has not left",
        description: "It counts as given up, and its text is wiped: nothing can send it any more.",
        tags,
      },
    });

/** The call by which admins try whether mails arrive. */
const testRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/auth/settings" })
    .use(door)
    .post("/test-mail", ({ ctx, body }) => sendTestMail(ctx, body), {
      access: "admin",
      scope: "settings:security",
      body: testMailBody,
      response: {
        200: testAnswer,
        ...reading,
        ...writing,
        ...failures(
          "BAD_REQUEST",
          "PAYLOAD_TOO_LARGE",
          "UNSUPPORTED_MEDIA_TYPE",
          "VALIDATION_FAILED",
          "CONFLICT",
          "TEST_FAILED",
          "RATE_LIMITED",
        ),
      },
      detail: {
        summary: "Send a test mail",
        description:
          "To the admin's own address unless `to` says otherwise, at once and beside the outbox. A test that did not work " +
          "answers `TEST_FAILED`, with the same `testResult` in `data`. Each admin has one test at a time " +
          "and 20 an hour; to one address one goes a minute, whoever asks.",
        tags,
      },
    });

/** All calls about mails. */
export const mailRoutes = (door: Door) => new Elysia().use(outboxRoutes(door)).use(testRoutes(door));
