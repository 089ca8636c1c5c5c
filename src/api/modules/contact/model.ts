import { type Static, t } from "elysia";
import {
  dataOf,
  done,
  emailField,
  integer,
  nameField,
  ruled,
  totalIsEstimateField,
  wholeNumberField,
} from "#api/modules/fields.ts";
import { messageComplaint } from "#contract/contact-rules.ts";
import { contactTexts } from "#contract/contact-texts.ts";
import { limits } from "#contract/limits.ts";
import { trimmed } from "#contract/stated.ts";

const known = { additionalProperties: false };
const instant = t.String({ format: "date-time" });

const subjectField = t.Union([t.Literal("General"), t.Literal("Sales"), t.Literal("Support")], {
  error: contactTexts.subjectRequired,
});
const messageField = ruled("atrium-message", messageComplaint, {
  description: `1 to ${limits.messageLength} characters; line breaks and tabs are fine`,
  ...trimmed(1, limits.messageLength, { hasLines: true }),
});

/** What a visitor writes. */
export const contactBody = t.Object(
  { name: nameField, email: emailField, subject: subjectField, message: messageField },
  known,
);
export type ContactInput = Static<typeof contactBody>;

/** The header by which a repeated call is known as such. */
export const contactHeaders = t.Object({
  "idempotency-key": t.Optional(
    t.String({
      pattern: "^[\\x21-\\x7e]{8,128}$",
      description: "Chosen by the caller, the same for each try to send one message",
      error: contactTexts.keyInvalid,
    }),
  ),
});

export const messageAnswer = done({});

const filters = {
  search: t.String({
    maxLength: limits.emailLength,
    default: "",
    description: "Part of a name, an address or a message, in any case",
    error: `Please search for at most ${limits.emailLength} characters`,
  }),
  subject: t.Optional(subjectField),
  status: t.Optional(
    t.Union([t.Literal("open"), t.Literal("handled")], { error: "Please choose open or handled" }),
  ),
};

/** Which messages are asked for; what is left out has its default. */
export const listMessagesQuery = t.Object(
  {
    ...filters,
    limit: wholeNumberField({
      minimum: 1,
      maximum: limits.pageSizeMax,
      default: limits.pageSize,
      error: `Please ask for 1 to ${limits.pageSizeMax} rows`,
    }),
    offset: wholeNumberField({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      error: "Please begin at a whole number from 0",
    }),
  },
  known,
);
export type ListMessagesInput = Static<typeof listMessagesQuery>;

/** Which messages are wanted as a file, and in which form. */
export const exportMessagesQuery = t.Object(
  {
    ...filters,
    format: t.Union([t.Literal("csv"), t.Literal("ndjson")], {
      default: "csv",
      error: "Please choose csv or ndjson",
    }),
  },
  known,
);
export type ExportMessagesInput = Static<typeof exportMessagesQuery>;

export const messageParams = t.Object({ id: t.String({ description: "The message's id" }) });

export const handledBody = t.Object(
  {
    handled: t.Boolean({
      error: "Please say true or false",
      description: "Whether it needs nobody any more",
    }),
  },
  known,
);

/** A message as the admin area shows it; `userId` is set when the writer was signed in and has an account still. */
const contactMessage = t.Object({
  id: t.String({ format: "uuid" }),
  name: t.String(),
  email: t.String(),
  subject: t.Union([t.Literal("General"), t.Literal("Sales"), t.Literal("Support")]),
  message: t.String(),
  userId: t.Nullable(t.String({ format: "uuid" })),
  ip: t.String(),
  userAgent: t.Nullable(t.String()),
  createdAt: instant,
  readAt: t.Nullable(instant),
  handledAt: t.Nullable(instant),
});
export type ContactMessage = Static<typeof contactMessage>;

export const messageList = dataOf(
  t.Object({
    messages: t.Array(contactMessage),
    pagination: t.Object({
      total: integer(),
      limit: integer(),
      offset: integer(),
      totalIsEstimate: totalIsEstimateField,
    }),
    counts: t.Object(
      { open: integer(), unread: integer() },
      { description: "Of all messages, whatever the filters" },
    ),
  }),
);
export type MessageList = Static<typeof messageList>["data"];

export const oneMessage = dataOf(contactMessage);
export const changedMessage = done({ data: contactMessage });
