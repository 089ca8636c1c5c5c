import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, type InputOf, operation } from "#contract/operation.ts";
import { emailChangeActs } from "#contract/users.ts";

const forOwners = { access: "user", tag: "Own account", changes: true, responds: "message" } as const;
const forEverybody = { access: "public", proof: "none", tag: "Accounts" } as const;

const sampleEmail = "ada@fuzzed.example";
const sampleToken = "A".repeat(43);
const mailedToken = (kit: Kit) =>
  kit.object({ token: kit.text({ description: "Token of the emailed link" }) });

/** How an account gets another email address. */
export const emailChangesContract = {
  begin: operation("POST /api/account/email", {
    ...forOwners,
    proof: "factor",
    status: 202,
    schemas: (kit) => ({ body: kit.exact({ email: kit.email }) }),
    errors: ["BUSY", "CONFLICT", "RATE_LIMITED"],
    summary: "Change own email address",
    description:
      "Emails a link to the new address, and one that stops the change to the current one. The address changes once the first link is followed, and for administrators, or where `accounts.emailChange` is `both`, also the current address has approved it. The response is the same whether or not the new address has an account. Three times a day; 409 while another change is waiting.",
    example: { email: sampleEmail },
  }),
  stop: operation("DELETE /api/account/email", {
    ...forOwners,
    proof: "none",
    schemas: () => ({}),
    errors: ["NOT_FOUND"],
    summary: "Stop the change of own email address",
    description: "The emailed links stop working. 404 if no change is waiting.",
    probe: { status: 404 },
  }),
  set: operation("PUT /api/admin/users/:user/email", {
    ...{ access: "admin", scope: "users", proof: "factor", tokens: false, tag: "Users" },
    ...{ changes: true, responds: "message" },
    schemas: (kit) => ({
      params: kit.object({
        user: kit.id("Id or email address"),
      }),
      body: kit.exact({ email: kit.email }),
      answer: kit.object({ email: kit.text({ description: "The new address" }) }),
    }),
    errors: ["BUSY", "NOT_FOUND", "CONFLICT"],
    summary: "Change a user's email address",
    description:
      "For users who can't read the email of their address anymore. Emails the same links as if they had asked; the address changes once the link in the new address's email is followed. Replaces a change that is waiting. 409 if the new address has an account.",
    would: ({ data: { email } }) => `Would email ${email} a link that makes it the user's address`,
    example: { user: "bob@fuzzed.example", email: sampleEmail },
    probe: { params: { user: "none" }, body: { email: sampleEmail }, status: 404 },
    commands: [
      {
        group: "users",
        name: "set-email",
        action: "Change an email address",
        summary: "change a user's email address",
        description:
          "Emails the new address a link to confirm it, and the current one a link to stop the change. The address changes once the first link is followed.",
        arguments: [
          { name: "user", summary: "current email address or id of the user", finds: "account" },
          { name: "email", summary: "new email address" },
        ],
        message: "Emailed {email} a link to confirm it",
        examples: [
          { summary: "By email address", typed: "atrium user set-email ada@example.com ada@example.org" },
        ],
      },
    ],
  }),
  check: operation("GET /api/auth/email-change/:token", {
    ...forEverybody,
    responds: "data",
    schemas: (kit) => ({
      params: mailedToken(kit),
      answer: kit.object({
        acts: kit.list(kit.oneOf(emailChangeActs), { description: "What the link can be used for now" }),
        oldEmail: kit.text(),
        newEmail: kit.text(),
      }),
    }),
    errors: ["TOKEN_INVALID"],
    summary: "Check a link about a change of email address",
    description: "For the page that the link opens. Changes nothing; the link stays valid.",
    example: { token: sampleToken },
    probe: { params: { token: "none" }, status: 400 },
  }),
  finish: operation("POST /api/auth/email-change/:token", {
    ...forEverybody,
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      params: mailedToken(kit),
      body: kit.exact({
        act: kit.choice(emailChangeActs, { error: `Please choose ${emailChangeActs.join(", ")}` }),
      }),
      answer: kit.object({
        state: kit.choice(["waiting", "changed", "stopped", "undone"]),
        resetToken: kit.optional(
          kit.text({ description: "After `undo`: sets a new password, once and within an hour" }),
        ),
      }),
    }),
    errors: ["BUSY", "TOKEN_INVALID", "CONFLICT"],
    summary: "Confirm, approve, stop or undo a change of email address",
    description:
      "`confirm` works with the link sent to the new address, the others with those sent to the old one. Once changed, other sessions and reset links end, and the old address is reserved for 30 days. `undo` works for 7 days: it restores the address, ends all sessions, removes the password and the sign-in methods, authenticator apps, passkeys and recovery codes that were added since three days before it was requested, and answers a token that sets a new password.",
    example: { token: sampleToken, act: "confirm" },
    probe: { params: { token: "none" }, body: { act: "confirm" }, status: 400 },
  }),
};

export type BeginInput = InputOf<typeof emailChangesContract.begin>;
export type SetEmailInput = InputOf<typeof emailChangesContract.set>;
export type FinishInput = InputOf<typeof emailChangesContract.finish>;
/** What the page of an emailed link shows. */
export type EmailChangeLink = AnswerOf<typeof emailChangesContract.check>;
/** What became of the change. */
export type EmailChangeOutcome = AnswerOf<typeof emailChangesContract.finish>;
