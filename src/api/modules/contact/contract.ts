import type { Kit } from "#api/modules/kit.ts";
import { contactSubjects, contactTexts, messageComplaint } from "#contract/contact-rules.ts";
import { limits, trimmed } from "#contract/limits.ts";
import {
  type AnswerOf,
  type CommandGroup,
  type InputOf,
  operation,
  pageOptions,
} from "#contract/operation.ts";

const forAdmins = { access: "admin", scope: "all", proof: "none", tag: "Contact" } as const;

const sampleId = "019a9f00-0000-7000-8000-000000000000";
const messageStates = ["open", "handled"] as const;
const forms = ["csv", "ndjson"] as const;

const one = (kit: Kit) => kit.object({ id: kit.id("The message's id") });

/** A message as the admin area shows it; `userId` is set when the writer was signed in and still has an account. */
const message = (kit: Kit) =>
  kit.object({
    id: kit.uuid,
    name: kit.text(),
    email: kit.text(),
    subject: kit.choice(contactSubjects),
    message: kit.text(),
    userId: kit.nullable(kit.uuid),
    ip: kit.text(),
    userAgent: kit.nullable(kit.text()),
    createdAt: kit.instant,
    readAt: kit.nullable(kit.instant),
    handledAt: kit.nullable(kit.instant),
  });

const filters = (kit: Kit) => ({
  search: kit.text({
    most: limits.emailLength,
    default: "",
    description: "Part of a name, an email address or a message, in any case",
    error: `Please search for at most ${limits.emailLength} characters`,
  }),
  subject: kit.optional(kit.choice(contactSubjects, { error: contactTexts.subjectRequired })),
  status: kit.optional(kit.choice(messageStates, { error: "Please choose open or handled" })),
});

const filterOptions = [
  {
    name: "search",
    value: "text",
    summary: "only messages with this text in their name, email address or text, in any case",
  },
  { name: "subject", value: "subject", values: contactSubjects, summary: "only messages on this subject" },
  { name: "status", value: "status", values: messageStates, summary: "only messages in this state" },
] as const;
const idArgument = [{ name: "id", summary: "id of the message" }];
const called = "the message from {name} <{email}>";

/** The word of the commands about contact messages. */
export const contactGroup: CommandGroup = {
  word: "contact",
  summary: "messages of the contact form",
  description: "Messages that visitors sent with the contact form",
};

/** What can be done about contact messages. */
export const contactContract = {
  send: operation("POST /api/contact", {
    access: "public",
    proof: "none",
    tag: "Contact",
    changes: true,
    responds: "message",
    status: 201,
    schemas: (kit) => ({
      headers: kit.object({
        "idempotency-key": kit.optional(
          kit.text({
            pattern: "^[\\x21-\\x7e]{8,128}$",
            description: "Chosen by the client, the same for each attempt to send one message",
            error: contactTexts.keyInvalid,
          }),
        ),
      }),
      body: kit.exact({
        name: kit.name,
        email: kit.email,
        subject: kit.choice(contactSubjects, { error: contactTexts.subjectRequired }),
        message: kit.checkedText("atrium-message", messageComplaint, {
          description: `1 to ${limits.messageLength} characters; line breaks and tabs are allowed`,
          ...trimmed(1, limits.messageLength, { hasLines: true }),
        }),
      }),
    }),
    errors: ["IDEMPOTENCY_KEY_REUSED", "RATE_LIMITED"],
    summary: "Send a contact message",
    description:
      "Stored, and emailed if a recipient is configured. The same `Idempotency-Key`, or without one the same content within ten minutes, means the same message: the response is the same, and the message is stored once.",
    example: { name: "Ada Example", email: "ada@fuzzed.example", subject: "Sales", message: "One\nTwo" },
  }),
  list: operation("GET /api/admin/contact", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({
      query: kit.exact({ ...filters(kit), limit: kit.limit, offset: kit.offset }),
      answer: kit.object({
        messages: kit.list(message(kit)),
        pagination: kit.pagination,
        counts: kit.object(
          { open: kit.integer(), unread: kit.integer() },
          { description: "Of all messages, whatever the filters" },
        ),
      }),
    }),
    names: { "200.data.pagination": "Pagination", "200.data.messages[]": "Message" },
    summary: "List contact messages",
    description: "Newest first; `search` matches names, email addresses and texts.",
    example: { limit: "5", search: "ada", status: "open" },
    commands: [
      {
        name: "list",
        action: "List messages",
        summary: "list the messages",
        description:
          "Lists the messages, newest first. On a terminal as a table; otherwise one message per line with tabs between id, time, name, email address, subject, state and the beginning of the text, without headings.",
        options: [...filterOptions, ...pageOptions],
        examples: [
          { summary: "Messages that are not handled yet", typed: "atrium contact list --status open" },
          {
            summary: "All messages from one company",
            typed: "atrium contact list --search @example.com --limit 100",
          },
          { summary: "Only the ids, for a script", typed: "atrium contact list --subject Sales | cut -f 1" },
          {
            summary: "The number of unread messages",
            typed: "atrium contact list --json | jq .counts.unread",
          },
        ],
      },
    ],
  }),
  get: operation("GET /api/admin/contact/:id", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({ params: one(kit), answer: message(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Read a contact message",
    description: "Marks the message as read.",
    example: { id: sampleId },
    commands: [
      {
        name: "show",
        action: "Read a message",
        summary: "show one message",
        description: "Shows a message with its full text, and marks it as read.",
        arguments: idArgument,
        examples: [
          { summary: "As text", typed: `atrium contact show ${sampleId}` },
          {
            summary: "Only the text, for a script",
            typed: `atrium contact show ${sampleId} --json | jq -r .message`,
          },
        ],
      },
    ],
  }),
  update: operation("PUT /api/admin/contact/:id", {
    ...forAdmins,
    changes: true,
    isRepeatable: true,
    responds: "message",
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({
        handled: kit.flag({
          error: "Please say true or false",
          description: "Whether the message is done",
        }),
      }),
      answer: message(kit),
    }),
    errors: ["NOT_FOUND"],
    summary: "Mark a contact message as handled, or open it again",
    description:
      "`handled: true` marks it as handled, `false` opens it again; returns the changed message. The sender is not notified. Recorded in the activity log.",
    would: ({ input, data: { name, email } }) =>
      input.handled
        ? `Would mark the message from ${name} <${email}> as handled`
        : `Would open the message from ${name} <${email}> again`,
    example: { id: sampleId, handled: true },
    commands: [
      {
        name: "handle",
        summary: "mark a message as handled",
        description: "Marks a message as handled, and as read. It can be reopened.",
        arguments: idArgument,
        fixed: { handled: true },
        message: `Marked ${called} as handled`,
        examples: [{ summary: "By id", typed: `atrium contact handle ${sampleId}` }],
      },
      {
        name: "reopen",
        action: "Mark a message as open again",
        summary: "open a handled message again",
        description: "Marks a handled message as open again, for example to reply later.",
        arguments: idArgument,
        fixed: { handled: false },
        message: `Opened ${called} again`,
        examples: [{ summary: "By id", typed: `atrium contact reopen ${sampleId}` }],
      },
    ],
  }),
  remove: operation("DELETE /api/admin/contact/:id", {
    ...forAdmins,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Delete a contact message",
    description: "This can't be undone. The sender is not notified. Recorded in the activity log.",
    would: ({ description }) => `Would delete the ${description} permanently`,
    example: { id: sampleId },
    commands: [
      {
        name: "delete",
        action: "Delete a message",
        summary: "delete a message permanently",
        description: "Deletes a message. This can't be undone. Asks for confirmation.",
        arguments: idArgument,
        asks: { question: `Delete ${called} permanently?`, reads: "get" },
        message: "Deleted the message",
        examples: [
          { summary: "With confirmation", typed: `atrium contact delete ${sampleId}` },
          { summary: "In a script", typed: `atrium contact delete ${sampleId} --yes` },
        ],
      },
    ],
  }),
  export: operation("GET /api/admin/contact/export", {
    ...forAdmins,
    proof: "recent",
    responds: "file",
    schemas: (kit) => ({
      query: kit.exact({
        ...filters(kit),
        format: kit.choice(forms, { default: "csv", error: "Please choose csv or ndjson" }),
      }),
      answer: kit.file("text/csv", "The export; with `format=ndjson` as application/x-ndjson"),
    }),
    summary: "Export contact messages",
    description:
      "The newest 10,000 matching messages, as CSV (RFC 4180) or as one JSON object per line. In CSV, texts that a spreadsheet would run as a formula start with an apostrophe.",
    example: { format: "csv", subject: "Sales" },
    commands: [
      {
        name: "export",
        action: "Export messages",
        summary: "export the messages as CSV or NDJSON",
        description:
          "Writes the newest 10,000 matching messages to standard output or to a file that only its owner can read. In CSV, texts that a spreadsheet would run as a formula start with an apostrophe.",
        options: [
          ...filterOptions,
          { name: "format", value: "format", values: forms, initial: "csv", summary: "format of the file" },
        ],
        examples: [
          { summary: "All messages, for a spreadsheet", typed: "atrium contact export --out messages.csv" },
          {
            summary: "Email addresses of messages about sales",
            typed: "atrium contact export --format ndjson --subject Sales | jq -r .email",
          },
        ],
      },
    ],
  }),
};

/** What a visitor writes. */
export type ContactInput = Omit<InputOf<typeof contactContract.send>, "idempotency-key">;
/** A message of the contact form as administrators see it. Timestamps are ISO 8601 in UTC. */
export type ContactMessage = AnswerOf<typeof contactContract.get>;
/** One page of messages; `counts` are of all messages, whatever the filters. */
export type MessageList = AnswerOf<typeof contactContract.list>;
export type ListMessagesInput = InputOf<typeof contactContract.list>;
export type ExportMessagesInput = InputOf<typeof contactContract.export>;
