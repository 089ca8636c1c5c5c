import { type Static, t } from "elysia";
import { dataOf, done, integer, totalIsEstimateField, wholeNumberField } from "#api/modules/fields.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { mailTexts } from "#contract/mail.ts";
import { trimmed } from "#contract/stated.ts";

const known = { additionalProperties: false };
const instant = t.String({ format: "date-time" });
const count = integer({ minimum: 0 });
// Not `t.UnionEnum`, which makes its first value the default of a query.
const mailStatus = t.Union([t.Literal("waiting"), t.Literal("sent"), t.Literal("dead")], {
  error: "Please choose waiting, sent or dead",
});

/** Which mails are asked for; what is left out has its default. */
export const listMailsQuery = t.Object(
  {
    status: t.Optional(mailStatus),
    search: t.String({
      maxLength: limits.emailLength,
      default: "",
      description: "Part of a recipient or a subject, in any case",
      error: mailTexts.searchTooLong(limits.emailLength),
    }),
    limit: wholeNumberField({
      minimum: 1,
      maximum: limits.pageSizeMax,
      default: limits.pageSize,
      error: `Please ask for 1 to ${limits.pageSizeMax} rows`,
    }),
    before: t.Optional(
      t.String({
        maxLength: 36,
        description: "Only mails older than the one with this id: the last one of the page before",
        error: mailTexts.beforeGone,
      }),
    ),
  },
  known,
);
export type ListMailsInput = Static<typeof listMailsQuery>;

export const mailParams = t.Object({ id: t.String({ description: "The mail's id" }) });

/** Who is to get the test mail. */
export const testMailBody = t.Object(
  {
    // The rule is the operation's to check: an empty one means none.
    to: t.Optional(
      t.String({
        description: "Who is to get it; the admin who asks unless given",
        stated: trimmed(0, limits.emailLength),
        error: authTexts.emailInvalid,
      }),
    ),
  },
  known,
);
export type TestMailInput = Static<typeof testMailBody>;

const mail = t.Object({
  id: t.String({ format: "uuid" }),
  recipient: t.String(),
  subject: t.String(),
  status: mailStatus,
  attempts: count,
  lastError: t.Nullable(t.String()),
  nextAttemptAt: t.Nullable(instant),
  createdAt: instant,
  sentAt: t.Nullable(instant),
  canRetry: t.Boolean({ description: "Whether it has not left, and its text is still there" }),
});
const counts = t.Object(
  { waiting: count, sent: count, dead: count },
  { description: "Of all mails, whatever the filters" },
);

export const mailList = dataOf(
  t.Object({
    mails: t.Array(mail),
    counts,
    pagination: t.Object({ total: integer(), limit: integer(), totalIsEstimate: totalIsEstimateField }),
  }),
);
export type MailList = Static<typeof mailList>["data"];

export const oneMail = dataOf(mail);
export const changedMail = done({ data: mail });
export const retriedMails = done({ data: t.Object({ retried: count }) });

export const mailState = dataOf(
  t.Object({
    transport: t.UnionEnum(["smtp", "outbox"]),
    server: t.Nullable(t.String({ description: "Host and port" })),
    from: t.String(),
    isHealthy: t.Boolean({ description: "Whether the last try of this process got through" }),
    lastError: t.Nullable(t.String()),
    counts,
  }),
);
