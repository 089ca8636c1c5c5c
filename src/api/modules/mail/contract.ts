import type { Kit } from "#api/modules/kit.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { trimmed } from "#contract/documented-limits.ts";
import { limits } from "#contract/limits.ts";
import { mailStatuses, mailTexts } from "#contract/mail.ts";
import { type AnswerOf, type InputOf, operation } from "#contract/operation.ts";
import type { CommandGroup } from "#contract/operation-commands.ts";

const reading = ["NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"] as const;
const writing = ["CROSS_ORIGIN", "STORAGE_FULL"] as const;
const withBody = ["BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED"] as const;
const forAdmins = { access: "admin", scope: "all", proof: "none", tag: "Mail" } as const;

const sampleId = "019a9f00-0000-7000-8000-000000000000";

const one = (kit: Kit) => kit.object({ id: kit.id("The mail's id") });

const status = (kit: Kit) => kit.choice(mailStatuses, { error: "Please choose waiting, sent or dead" });

/** A mail as admins see it: never its text, never its links. */
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
    canRetry: kit.flag({ description: "Whether it has not left, and its text is still there" }),
  });

const counts = (kit: Kit) =>
  kit.object(
    { waiting: kit.count, sent: kit.count, dead: kit.count },
    { description: "Of all mails, whatever the filters" },
  );

const idArgument = [{ name: "id", summary: "id of the mail" }];
const called = "“{subject}” to {recipient}";

/** The word of the commands about mails. */
export const mailGroup: CommandGroup = {
  word: "mail",
  summary: "outgoing mails",
  description: "The outbox: mails that wait, left or were given up. Their texts and links are never shown",
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
        isHealthy: kit.flag({ description: "Whether the last try of this process got through" }),
        lastError: kit.nullable(kit.text()),
        counts: counts(kit),
      }),
    }),
    names: { "200.data.counts": "MailCounts" },
    errors: reading,
    summary: "How mails leave, how that goes, and how many there are",
    description:
      "By which way and from which address mails go out, through which server if one is set up, whether the last " +
      "try of the process that answers got through, and if not why. `counts` are of all mails, on whichever server " +
      "they were written.",
    example: {},
    probe: { status: 200 },
    commands: [
      {
        name: "status",
        action: "Show how mails leave",
        summary: "how mails leave, and how that goes",
        description:
          "Shows the mail server, the sender, whether the running server got its last mail through and why not, and how many " +
          "mails wait, left and were given up. Without a mail server mails become files, count as sent and reach nobody.",
        examples: [
          { summary: "Show it", typed: "atrium mail status" },
          {
            summary: "Whether any was given up, for a script",
            typed: "test $(atrium mail status --json | jq .counts.dead) = 0",
          },
        ],
      },
    ],
  }),
  get: operation("GET /api/admin/mails/:id", {
    ...forAdmins,
    tokens: false,
    proof: "recent",
    responds: "data",
    schemas: (kit) => ({ params: one(kit), answer: mail(kit) }),
    errors: [...reading, "NOT_FOUND"],
    summary: "One mail, without its text",
    description:
      "Recipient, subject, state, how often it was tried, when it is next and what went wrong last. Text and links " +
      "are never told.",
    example: { id: sampleId },
    probe: { params: { id: "none" }, status: 404 },
    commands: [
      {
        name: "show",
        action: "Look at one mail",
        summary: "show one mail",
        description:
          "Shows who gets a mail, its subject, its state, how many times it was tried, why it failed and when it is tried " +
          "again. Its text stays sealed.",
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
            description: "Only mails older than the one with this id: the last one of the page before",
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
    errors: [...reading, "VALIDATION_FAILED"],
    summary: "List the mails of the outbox",
    description: "Newest first; `search` looks into recipients and subjects. Texts and links are never told.",
    example: { limit: "5", search: "ada", status: "dead", before: sampleId },
    probe: { status: 200 },
    commands: [
      {
        name: "list",
        action: "List mails",
        summary: "list the mails",
        description:
          "Lists the mails, newest first. On a terminal as a table; elsewhere one mail a line with tabs between id, time, " +
          "state, tries, recipient, subject and last error, and no headings.",
        options: [
          { name: "status", value: "status", values: mailStatuses, summary: "only mails in this state" },
          {
            ...{ name: "search", value: "text" },
            summary: "only mails with this in their recipient or subject, in any case",
          },
          {
            ...{ name: "limit", value: "rows", type: "integer", least: 1, most: limits.pageSizeMax },
            summary: "how many to show, 1 to 100 (default: 25)",
          },
          { name: "before", value: "id", summary: "only older ones than the mail with this id" },
        ],
        lines: { rows: "mails", summary: "one mail a line, as JSON" },
        examples: [
          { summary: "What was given up", typed: "atrium mail list --status dead" },
          {
            summary: "Everything to one person",
            typed: "atrium mail list --search ada@example.com --limit 100",
          },
          {
            summary: "The next page, as the last line of a page says",
            typed: `atrium mail list --before ${sampleId}`,
          },
          {
            summary: "Why mails failed, for a script",
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
    errors: [...reading, ...writing, "NOT_FOUND", "CONFLICT"],
    summary: "Try a mail again at once that waits or was given up",
    description:
      "Makes it due at once and answers it as it is then: due, not yet sent. `CONFLICT` for a mail that has left or " +
      "was discarded. Stands in the activity log.",
    would: ({ data: { subject, recipient } }) => `Would try “${subject}” to ${recipient} again`,
    example: { id: sampleId },
    probe: { params: { id: "none" }, status: 404 },
    commands: [
      {
        name: "retry",
        action: "Try a mail again",
        summary: "try mails again now",
        description:
          "Has a mail tried again at once that waits or was given up, or with --dead all that were given up. Links in mails " +
          "work for an hour or a day: what is older may arrive and lead nowhere.",
        arguments: [{ name: "id", summary: "id of the mail", required: false }],
        options: [{ name: "dead", type: "boolean", isOwn: true, summary: "all mails that were given up" }],
        examples: [
          { summary: "One", typed: `atrium mail retry ${sampleId}` },
          {
            summary: "All that were given up, once the mail server is mended",
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
    errors: [...reading, ...writing],
    summary: "Try all mails again that were given up",
    description:
      "Makes each of them due at once, discarded ones excepted, and answers how many those are; they leave after " +
      "that, as far as the mail server takes them. Stands in the activity log, unless there were none.",
    would: ({ description }) => `Would try ${description} again`,
    example: {},
    probe: { status: 200 },
    calledBy: { command: "mail retry --dead", action: "Try given-up mails again" },
  }),
  discard: operation("DELETE /api/admin/mails/:id", {
    ...forAdmins,
    proof: "recent",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit), answer: mail(kit) }),
    names: { "200": "DoneWithMail" },
    errors: [...reading, ...writing, "NOT_FOUND", "CONFLICT"],
    summary: "Discard a mail that has not left",
    description: "It counts as given up, and its text is wiped: nothing can send it any more.",
    would: ({ data: { subject, recipient } }) => `Would discard “${subject}” to ${recipient} permanently`,
    example: { id: sampleId },
    probe: { params: { id: "none" }, status: 404 },
    commands: [
      {
        name: "discard",
        action: "Discard a mail",
        summary: "give a mail up for good",
        description:
          "Gives a mail up that has not left, and wipes its text: nothing can send it any more. Asks first, naming the mail.",
        arguments: idArgument,
        asks: { question: `Discard ${called} for good?`, reads: "get" },
        message: `Discarded ${called}`,
        examples: [
          { summary: "Ask first", typed: `atrium mail discard ${sampleId}` },
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
            description: "Who is to get it; the admin who asks unless given",
            documented: trimmed(0, limits.emailLength),
            error: authTexts.emailInvalid,
          }),
        ),
      }),
      answer: kit.object({ testResult: kit.testResult }),
    }),
    names: { "200": "DoneWithTest" },
    errors: [...reading, ...writing, ...withBody, "CONFLICT", "TEST_FAILED", "RATE_LIMITED"],
    summary: "Send a test mail",
    description:
      "To the admin's own address unless `to` says otherwise, at once and beside the outbox. A test that did not work " +
      "answers `TEST_FAILED`, with the same `testResult` in `data`. Each admin has one test at a time " +
      "and 20 an hour; to one address one goes a minute, whoever asks.",
    example: { to: "ada@fuzzed.example" },
    probe: { body: { to: "nobody" }, status: 422 },
    calledBy: { command: "settings test mail", action: "Send a test mail" },
  }),
};

/** A mail of the outbox as admins see it. Times are ISO 8601 in UTC. */
export type Mail = AnswerOf<typeof mailContract.get>;
export type MailState = AnswerOf<typeof mailContract.status>;
/** One page of mails; `counts` are of all mails, whatever the filters. */
export type MailList = AnswerOf<typeof mailContract.list>;
export type ListMailsInput = InputOf<typeof mailContract.list>;
export type TestMailInput = InputOf<typeof mailContract.test>;
