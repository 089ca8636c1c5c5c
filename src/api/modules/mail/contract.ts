import type { Kit } from "#api/modules/kit.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits, trimmed } from "#contract/limits.ts";
import { mailStatuses, mailTexts } from "#contract/mail.ts";
import {
  type AnswerOf,
  type CommandGroup,
  type InputOf,
  limitOption,
  operation,
} from "#contract/operation.ts";

const forAdmins = { access: "admin", scope: "all", proof: "none", tag: "Mail" } as const;

const sampleId = "019a9f00-0000-7000-8000-000000000000";

const one = (kit: Kit) => kit.object({ id: kit.id("The email's id") });

const status = (kit: Kit) => kit.choice(mailStatuses, { error: "Please choose waiting, sent or dead" });

/** An email as admins see it: never its text, never its links. */
const mail = (kit: Kit) =>
  kit.object({
    id: kit.uuid,
    recipient: kit.text(),
    subject: kit.text(),
    status: status(kit),
    attempts: kit.count,
    lastError: kit.nullable(kit.text()),
    nextAttemptAt: kit.nullable(kit.instant),
    createdAt: kit.instant,
    sentAt: kit.nullable(kit.instant),
    canRetry: kit.flag({
      description: "Whether it can be retried: it was not sent, and its content is still stored",
    }),
  });

const counts = (kit: Kit) =>
  kit.object(
    { waiting: kit.count, sent: kit.count, dead: kit.count },
    { description: "Of all emails, whatever the filters" },
  );

const idArgument = [{ name: "id", summary: "id of the email" }];
const called = "“{subject}” to {recipient}";

/** The word of the commands about emails. */
export const mailGroup: CommandGroup = {
  word: "mail",
  summary: "outgoing emails",
  description:
    "The outbox: emails that are waiting, sent or dead (given up after too many tries). Their content and links are never shown",
};

/** What can be done about the outbox. */
export const mailContract = {
  status: operation("GET /api/admin/mail", {
    ...forAdmins,
    scope: "settings",
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        transport: kit.choice(["smtp", "outbox"]),
        server: kit.nullable(kit.text({ description: "Host and port" })),
        from: kit.text(),
        isHealthy: kit.flag({ description: "Whether this process's last delivery succeeded" }),
        lastError: kit.nullable(kit.text()),
        counts: counts(kit),
      }),
    }),
    names: { "200.data.counts": "MailCounts" },
    summary: "Email delivery: transport, health and counts",
    description:
      "The transport and the sender's address, the mail server if one is configured, whether the last delivery of the responding process succeeded, and if not, why. `counts` are of all emails, whichever server created them.",
    commands: [
      {
        name: "status",
        action: "Show email delivery",
        summary: "show how emails are sent, and whether that works",
        description:
          "Shows the mail server, the sender's address, whether the running server's last delivery succeeded and if not, why, and how many emails are waiting, sent and dead. Without a mail server, emails are saved as files, count as sent and are not delivered.",
        examples: [
          { summary: "Show the status", typed: "atrium mail status" },
          {
            summary: "Whether any email is dead, for a script",
            typed: "test $(atrium mail status --json | jq .counts.dead) = 0",
          },
        ],
      },
    ],
  }),
  get: operation("GET /api/admin/mails/:id", {
    ...forAdmins,
    tokens: false,
    proof: "factor",
    responds: "data",
    schemas: (kit) => ({ params: one(kit), answer: mail(kit) }),
    errors: ["NOT_FOUND"],
    summary: "One email, without its content",
    description:
      "Recipient, subject, state, number of tries, time of the next try and last error. Content and links are never returned.",
    example: { id: sampleId },
    commands: [
      {
        name: "show",
        action: "Show an email",
        summary: "show one email",
        description:
          "Shows an email's recipient, subject and state, how often it was tried, why it failed and when it is tried again. Its content stays encrypted.",
        arguments: idArgument,
        examples: [
          { summary: "As text", typed: `atrium mail show ${sampleId}` },
          {
            summary: "Why it failed, for a script",
            typed: `atrium mail show ${sampleId} --json | jq -r .lastError`,
          },
        ],
      },
    ],
  }),
  list: operation("GET /api/admin/mails", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({
      query: kit.exact({
        status: kit.optional(status(kit)),
        search: kit.text({
          most: limits.emailLength,
          default: "",
          description: "Part of a recipient or a subject, in any case",
          error: mailTexts.searchTooLong(limits.emailLength),
        }),
        limit: kit.limit,
        before: kit.optional(
          kit.text({
            most: 36,
            description: "Only emails older than the one with this id: the last one of the previous page",
            error: mailTexts.beforeGone,
          }),
        ),
      }),
      answer: kit.object({
        mails: kit.list(mail(kit)),
        counts: counts(kit),
        pagination: kit.object({
          total: kit.integer(),
          limit: kit.integer(),
          totalIsEstimate: kit.totalIsEstimate,
        }),
      }),
    }),
    names: { "200.data.mails[]": "Mail" },
    summary: "List the emails in the outbox",
    description:
      "Newest first; `search` matches recipients and subjects. Content and links are never returned.",
    example: { limit: "5", search: "ada", status: "dead", before: sampleId },
    commands: [
      {
        name: "list",
        action: "List emails",
        summary: "list the emails",
        description:
          "Lists the emails, newest first. On a terminal as a table; otherwise one email per line with tabs between id, time, state, tries, recipient, subject and last error, without headings.",
        options: [
          { name: "status", value: "status", values: mailStatuses, summary: "only emails in this state" },
          {
            ...{ name: "search", value: "text" },
            summary: "only emails with this text in their recipient or subject, in any case",
          },
          limitOption,
          { name: "before", value: "id", summary: "only emails older than the one with this id" },
        ],
        lines: { rows: "mails", summary: "one email per line, as JSON" },
        examples: [
          { summary: "Dead emails", typed: "atrium mail list --status dead" },
          {
            summary: "All emails to one address",
            typed: "atrium mail list --search ada@example.com --limit 100",
          },
          {
            summary: "The next page, as the last line of each page says",
            typed: `atrium mail list --before ${sampleId}`,
          },
          {
            summary: "Why emails failed, for a script",
            typed: "atrium mail list --status dead --ndjson | jq -r .lastError",
          },
        ],
      },
    ],
  }),
  retry: operation("POST /api/admin/mails/:id/retry", {
    ...forAdmins,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit), answer: mail(kit) }),
    errors: ["NOT_FOUND", "CONFLICT"],
    summary: "Try a waiting or dead email again immediately",
    description:
      "Makes the email due immediately and returns it: due, not sent yet. `CONFLICT` if it was sent or discarded. Recorded in the activity log.",
    would: ({ data: { subject, recipient } }) => `Would try “${subject}” to ${recipient} again`,
    example: { id: sampleId },
    commands: [
      {
        name: "retry",
        action: "Try an email again",
        summary: "try emails again now",
        description:
          "Tries a waiting or dead email again immediately, or all dead emails with --dead. Links in emails expire after an hour or a day, so older emails may arrive with links that no longer work.",
        arguments: [{ name: "id", summary: "id of the email", required: false }],
        options: [{ name: "dead", type: "boolean", isOwn: true, summary: "all dead emails" }],
        examples: [
          { summary: "One", typed: `atrium mail retry ${sampleId}` },
          {
            summary: "All dead emails, after the mail server was fixed",
            typed: "atrium mail retry --dead",
          },
        ],
      },
    ],
  }),
  retryAll: operation("POST /api/admin/mails/retry", {
    ...forAdmins,
    changes: true,
    isRepeatable: true,
    responds: "message",
    schemas: (kit) => ({ answer: kit.object({ retried: kit.count }) }),
    summary: "Try all dead emails again",
    description:
      "Makes all dead emails due immediately, except discarded ones, and returns how many there are. They are sent as fast as the mail server accepts them. Recorded in the activity log, unless there were none.",
    would: ({ description }) => `Would try ${description} again`,
    calledBy: { command: "mail retry --dead", action: "Try dead emails again" },
  }),
  discard: operation("DELETE /api/admin/mails/:id", {
    ...forAdmins,
    proof: "recent",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit), answer: mail(kit) }),
    names: { "200": "DoneWithMail" },
    errors: ["NOT_FOUND", "CONFLICT"],
    summary: "Discard an email that was not sent",
    description: "It counts as dead, and its content is deleted: it can't be sent any more.",
    would: ({ data: { subject, recipient } }) => `Would discard “${subject}” to ${recipient} permanently`,
    example: { id: sampleId },
    commands: [
      {
        name: "discard",
        action: "Discard an email",
        summary: "discard an email permanently",
        description:
          "Discards an email that was not sent, and deletes its content: it can't be sent any more. Asks for confirmation, naming the email.",
        arguments: idArgument,
        asks: { question: `Discard ${called} permanently?`, reads: "get" },
        message: `Discarded ${called}`,
        examples: [
          { summary: "With confirmation", typed: `atrium mail discard ${sampleId}` },
          { summary: "In a script", typed: `atrium mail discard ${sampleId} --yes` },
        ],
      },
    ],
  }),
  test: operation("POST /api/auth/settings/test-mail", {
    ...forAdmins,
    scope: "settings:security",
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({
        // The rule is the operation's to check: an empty one means none.
        to: kit.optional(
          kit.text({
            description: "The recipient; by default the signed-in admin",
            documented: trimmed(0, limits.emailLength),
            error: authTexts.emailInvalid,
          }),
        ),
      }),
      answer: kit.object({ testResult: kit.testResult }),
    }),
    names: { "200": "DoneWithTest" },
    errors: ["CONFLICT", "TEST_FAILED", "RATE_LIMITED"],
    summary: "Send a test email",
    description:
      "To the admin's own address unless `to` is given, immediately and without the outbox. If the test fails, the response is `TEST_FAILED` with the same `testResult` in `data`. Each admin can run one test at a time and 20 an hour; each address gets at most one test email a minute.",
    example: { to: "ada@fuzzed.example" },
    probe: { body: { to: "nobody" }, status: 422 },
    calledBy: { command: "settings test mail", action: "Send a test email" },
  }),
};

/** An email of the outbox as admins see it. Times are ISO 8601 in UTC. */
export type Mail = AnswerOf<typeof mailContract.get>;
export type MailState = AnswerOf<typeof mailContract.status>;
/** One page of emails; `counts` are of all emails, whatever the filters. */
export type MailList = AnswerOf<typeof mailContract.list>;
export type ListMailsInput = InputOf<typeof mailContract.list>;
export type TestMailInput = InputOf<typeof mailContract.test>;
