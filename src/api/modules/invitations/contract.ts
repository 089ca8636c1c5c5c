import type { Kit } from "#api/modules/kit.ts";
import { limits } from "#contract/limits.ts";
import {
  type AnswerOf,
  type InputOf,
  type OperationArgument,
  operation,
  pageOptions,
  sampleSecret,
} from "#contract/operation.ts";
import { invitationStates, roles } from "#contract/users.ts";

const forReading = { access: "admin", scope: "users", proof: "none", tag: "Users" } as const;
const forChanging = { ...forReading, proof: "recent", changes: true, responds: "message" } as const;
const forEverybody = { access: "public", proof: "none", tag: "Accounts" } as const;

const sampleId = "019a9f00-0000-7000-8000-000000000000";
const sampleEmail = "ada@fuzzed.example";
const sampleToken = "A".repeat(43);

const one = (kit: Kit) => kit.object({ invitation: kit.id("Id, or the email address that was invited") });
const mailedToken = (kit: Kit) =>
  kit.object({ token: kit.text({ description: "Token of the emailed link" }) });
const role = (kit: Kit) => kit.choice(roles, { error: "Please choose user or admin" });

const invitation = (kit: Kit) =>
  kit.object({
    id: kit.uuid,
    email: kit.text(),
    name: kit.nullable(kit.text()),
    role: role(kit),
    state: kit.oneOf(invitationStates, {
      description: "`withdrawn` also where an administrator who invited another one isn't one anymore",
    }),
    invitedBy: kit.nullable(kit.text(), {
      description: "Name of the administrator; `null` for the operator",
    }),
    mailedAt: kit.instant,
    expiresAt: kit.instant,
    acceptedAt: kit.nullable(kit.instant),
  });

/** Said of what an invitation may hold besides the address. */
const wishes = (kit: Kit) => ({
  role: kit.optional(role(kit)),
  name: kit.optional(kit.name),
  expiresInDays: kit.optional(
    kit.whole({
      ...{ minimum: 1, maximum: limits.invitationDaysMax },
      description: `Default: ${limits.invitationDays}`,
      error: `Please choose 1 to ${limits.invitationDaysMax} days`,
    }),
  ),
});

const invitationArgument: readonly OperationArgument[] = [
  { name: "invitation", summary: "email address that was invited, or id of the invitation" },
];

/** How administrators invite people, and how those accept. */
export const invitationsContract = {
  list: operation("GET /api/admin/invitations", {
    ...forReading,
    responds: "data",
    schemas: (kit) => ({
      query: kit.exact({
        limit: kit.limit,
        offset: kit.offset,
        state: kit.optional(
          kit.choice(invitationStates, {
            error: `Please choose ${invitationStates.join(", ")}`,
          }),
        ),
      }),
      answer: kit.object({
        invitations: kit.list(invitation(kit)),
        pagination: kit.object({ total: kit.integer(), limit: kit.integer(), offset: kit.integer() }),
      }),
    }),
    names: { "200.data.invitations[]": "Invitation" },
    summary: "List invitations",
    description: "Those emailed last come first. They are removed 30 days after they expired.",
    example: { limit: "10", offset: "0", state: "waiting" },
    commands: [
      {
        group: "users",
        name: "invitations",
        action: "List invitations",
        summary: "list the invitations",
        description:
          "Lists the invitations, those emailed last first. On a terminal as a table; otherwise one per line with tabs between email address, role, state, inviting administrator, expiry time and id, without headings.",
        options: [
          {
            name: "state",
            value: "state",
            values: invitationStates,
            summary: "only invitations in this state",
          },
          ...pageOptions,
        ],
        examples: [
          { summary: "Who has not accepted yet", typed: "atrium user invitations --state waiting" },
          { summary: "As the API returns it", typed: "atrium user invitations --json" },
        ],
      },
    ],
  }),
  create: operation("POST /api/admin/invitations", {
    ...forChanging,
    schemas: (kit) => ({
      body: kit.exact({
        invitations: kit.list(kit.exact({ email: kit.email, ...wishes(kit) }), {
          ...{ minItems: 1, maxItems: limits.invitationsAtOnce },
          error: `Please give 1 to ${limits.invitationsAtOnce} email addresses`,
        }),
        note: kit.optional(
          kit.text({
            most: limits.invitationNoteLength,
            description: "Your own words in the email",
            error: `Please use at most ${limits.invitationNoteLength} characters`,
          }),
        ),
      }),
      answer: kit.object({
        results: kit.list(
          kit.object({
            email: kit.text(),
            id: kit.nullable(kit.uuid),
            status: kit.choice(["invited", "skipped"]),
            reason: kit.nullable(kit.choice(["account", "waiting", "limit"]), {
              description:
                "Why it was skipped: the address has an account, an invitation is waiting, or too many were emailed lately",
            }),
          }),
          { description: "One for each address, in the order of the request" },
        ),
      }),
    }),
    errors: ["BUSY"],
    summary: "Invite users",
    description: `Emails each address a link with which its owner creates an account, whatever the registration policy is. Addresses that have an account or a waiting invitation are skipped, without an email. An administrator can send ${limits.invitationMailsInAnHour} invitations an hour. API tokens can't invite administrators.`,
    would: ({ data: { results } }) => {
      const named = (wanted: string) =>
        results.flatMap(({ email, status }) => (status === wanted ? [email] : [])).join(", ");
      const skipped = named("skipped");
      return `Would invite ${named("invited") || "no one"}${skipped === "" ? "" : `, and skip ${skipped}`}`;
    },
    example: {
      invitations: [{ email: sampleEmail, role: "user", name: "Ada Example", expiresInDays: 7 }],
      note: "See you on Monday",
    },
    commands: [
      {
        group: "users",
        name: "invite",
        action: "Invite users",
        summary: "email people an invitation to create an account",
        description:
          "Emails each address a link with which its owner creates an account, whatever the registration policy is. A word without @ is a file with one address per line. Addresses that have an account or a waiting invitation are skipped.",
        arguments: [
          {
            ...{ name: "recipient", field: "invitations", repeats: true },
            summary: "email addresses, or files with one per line",
          },
        ],
        options: [
          {
            ...{ name: "role", value: "role", values: roles, initial: "user" },
            summary: "the new users' role",
          },
          {
            ...{ name: "expires", value: "days", type: "integer", field: "expiresInDays" },
            ...{ least: 1, most: limits.invitationDaysMax },
            summary: `days until the invitations expire, 1 to ${limits.invitationDaysMax} (default: ${limits.invitationDays})`,
          },
          { ...{ name: "note", value: "text" }, summary: "your own words in the email" },
        ],
        examples: [
          { summary: "Invite two people", typed: "atrium user invite ada@example.com bob@example.com" },
          { summary: "Everyone in a file", typed: "atrium user invite team.txt --expires 14" },
          { summary: "An administrator", typed: "atrium user invite ada@example.com --role admin" },
        ],
      },
    ],
  }),
  resend: operation("POST /api/admin/invitations/:invitation/resend", {
    ...forChanging,
    schemas: (kit) => ({ params: one(kit), answer: invitation(kit) }),
    names: { "200": "DoneWithInvitation" },
    errors: ["NOT_FOUND", "CONFLICT", "RATE_LIMITED"],
    summary: "Email an invitation again",
    description: `With a new link that is valid as long as the first one was; the older link stops working. ${limits.invitationResendsInADay} times a day for each address. 409 for an invitation that was accepted or withdrawn.`,
    would: ({ data: { email } }) => `Would email ${email} the invitation again`,
    example: { invitation: sampleId },
    commands: [
      {
        group: "users",
        name: "reinvite",
        summary: "email an invitation again",
        description:
          "Emails an invitation again, with a new link; the older link stops working. Also for one that has expired.",
        arguments: invitationArgument,
        message: "Emailed the invitation of {email} again",
        examples: [{ summary: "By email address", typed: "atrium user reinvite ada@example.com" }],
      },
    ],
  }),
  withdraw: operation("DELETE /api/admin/invitations/:invitation", {
    ...forChanging,
    proof: "none",
    isRepeatable: true,
    schemas: (kit) => ({ params: one(kit), answer: invitation(kit) }),
    errors: ["NOT_FOUND", "CONFLICT"],
    summary: "Withdraw an invitation",
    description: "Its link stops working. 409 for an invitation that was accepted.",
    would: ({ data: { email } }) => `Would withdraw the invitation of ${email}`,
    example: { invitation: sampleId },
    commands: [
      {
        group: "users",
        name: "uninvite",
        summary: "withdraw an invitation",
        description: "Withdraws an invitation: its link stops working.",
        arguments: invitationArgument,
        message: "Withdrew the invitation of {email}",
        examples: [{ summary: "By email address", typed: "atrium user uninvite ada@example.com" }],
      },
    ],
  }),
  check: operation("GET /api/auth/invitations/:token", {
    ...forEverybody,
    responds: "data",
    schemas: (kit) => ({
      params: mailedToken(kit),
      answer: kit.object({
        email: kit.text(),
        name: kit.nullable(kit.text()),
        role: role(kit),
        invitedBy: kit.nullable(kit.text(), {
          description: "Name of the administrator; `null` for the operator",
        }),
        expiresAt: kit.instant,
        isPasskeyOffered: kit.flag({
          description: "Whether a passkey can take the place of the password",
        }),
        needsSecondFactor: kit.flag({
          description:
            "Whether the account has to have a second factor before it can do anything else; a passkey is one",
        }),
        suggestsSecondFactor: kit.flag({
          description: "Whether the page should lead to setting up a second factor, which can wait",
        }),
      }),
    }),
    errors: ["TOKEN_INVALID"],
    summary: "Check an invitation",
    description: "For the page that the link opens. Changes nothing; the link stays valid.",
    example: { token: sampleToken },
    probe: { params: { token: "none" }, status: 400 },
  }),
  beginPasskey: operation("POST /api/auth/passkey/ceremony/:token", {
    ...forEverybody,
    changes: true,
    responds: "data",
    schemas: (kit) => ({
      params: mailedToken(kit),
      answer: kit.object(kit.newPasskeyRequest.properties),
    }),
    names: { "200": "NewPasskeyRequest" },
    errors: ["TOKEN_INVALID", "CONFLICT", "RATE_LIMITED"],
    summary: "Begin to accept an invitation with a passkey",
    description:
      "Answers a challenge, which is valid for five minutes and once. Pass `options` to the browser, and accept the invitation with what it makes. The link stays valid, and nothing is created yet. 409 where passkeys are not offered.",
    example: { token: sampleToken },
    probe: { params: { token: "none" }, status: 400 },
  }),
  accept: operation("POST /api/auth/invitations/:token", {
    ...forEverybody,
    changes: true,
    responds: "fields",
    status: 201,
    schemas: (kit) => ({
      params: mailedToken(kit),
      body: kit.exact({
        name: kit.name,
        password: kit.optional(kit.newPassword),
        ceremony: kit.optional(kit.passkeyAnswer.properties.ceremony),
        response: kit.optional(kit.passkeyAnswer.properties.response),
      }),
      answer: kit.object({
        message: kit.text(),
        user: kit.user,
        recoveryCodes: kit.nullable(kit.list(kit.text()), {
          description: "Ten that come with a passkey, shown only now; otherwise `null`",
        }),
      }),
    }),
    errors: ["BUSY", "TOKEN_INVALID", "PASSKEY_REFUSED", "CONFLICT"],
    summary: "Accept an invitation",
    description:
      "With a password, or with a passkey for the challenge of `/api/auth/passkey/ceremony/{token}`. Uses up the emailed token, creates the account with its email address verified, and signs in. A passkey counts as both factors; the account then has no password. 409 if the address got an account in the meantime.",
    example: { token: sampleToken, name: "Ada Example", password: sampleSecret },
    probe: {
      params: { token: "none" },
      body: { name: "Ada Example", password: "correct-horse-battery" },
      status: 400,
    },
  }),
};

export type ListInvitationsInput = InputOf<typeof invitationsContract.list>;
/** One page of the invitations, and how many match in all. */
export type InvitationList = AnswerOf<typeof invitationsContract.list>;
/** An invitation as administrators see it. */
export type Invitation = InvitationList["invitations"][number];
export type CreateInvitationsInput = InputOf<typeof invitationsContract.create>;
/** What became of each address. */
export type InvitationResults = AnswerOf<typeof invitationsContract.create>;
export type InvitationHandle = InputOf<typeof invitationsContract.withdraw>;
/** What the page of an emailed link shows. */
export type OpenInvitation = AnswerOf<typeof invitationsContract.check>;
export type AcceptInput = InputOf<typeof invitationsContract.accept>;
