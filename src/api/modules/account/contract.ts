import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, type InputOf, operation, sampleSecret } from "#contract/operation.ts";
import { providerNames } from "#contract/users.ts";

const forOwners = { access: "user", proof: "none", tag: "Own account" } as const;

/** A way in through a provider: whether this server offers it, and whether the person uses it. */
const connection = (kit: Kit) =>
  kit.object({
    label: kit.text({ description: "The provider's name for users" }),
    configured: kit.flag({ description: "Whether this server offers the provider" }),
    linked: kit.flag(),
  });

/** People without a password leave it out; a body all the same, so that no other site's form can send it. */
const confirmation = (kit: Kit) => kit.exact({ password: kit.optional(kit.presentPassword) });
const provider = (kit: Kit) =>
  kit.object({ provider: kit.id("`google`, `github` or the id of another provider") });

/** What people can do about their own account. */
export const accountContract = {
  get: operation("GET /api/account", {
    ...forOwners,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        user: kit.user,
        hasPassword: kit.flag(),
        providers: kit.recordWith(providerNames, connection(kit), {
          description: "By id: `google`, `github`, and others that this server offers or that are linked",
        }),
        isLastAdmin: kit.flag({ description: "Whether the account can't be deleted for now" }),
        emailChange: kit.nullable(kit.object({ newEmail: kit.text(), expiresAt: kit.instant }), {
          description: "A change of the email address that is waiting",
        }),
      }),
    }),
    names: { "200.data.providers.google": "ProviderLink", "200.data.user.role": "Role" },
    summary: "Get own account",
    description: "With its sign-in methods.",
  }),
  session: operation("GET /api/account/session", {
    ...forOwners,
    forEnrolment: true,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        now: kit.instant,
        idleEndsAt: kit.instant,
        endsAt: kit.instant,
        factorRequiredBy: kit.nullable(kit.instant),
        confirmedUntil: kit.nullable(kit.instant),
      }),
    }),
    summary: "Get the current session",
    description:
      "`idleEndsAt` is when it ends if it isn't used again, `endsAt` when it ends in any case; `now` is the server's time. `factorRequiredBy` is by when a required second factor must be set up, `null` if none has to be. `confirmedUntil` is until when a confirmation or the second factor counts, `null` without. Requests with the header `x-atrium-background` don't count as use.",
  }),
  sessions: operation("GET /api/account/sessions", {
    ...forOwners,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        sessions: kit.list(
          kit.object({
            id: kit.uuid,
            isCurrent: kit.flag(),
            ip: kit.text(),
            userAgent: kit.nullable(kit.text({ description: "As the browser sent it" })),
            device: kit.text({ description: "In words, such as `Firefox on Linux`" }),
            createdAt: kit.instant,
            lastUsedAt: kit.instant,
            expiresAt: kit.instant,
          }),
        ),
      }),
    }),
    summary: "List own sessions",
    description: "The current session comes first, the others by last use, exact to a minute.",
  }),
  endOtherSessions: operation("DELETE /api/account/sessions", {
    ...forOwners,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ answer: kit.object({ ended: kit.integer() }) }),
    names: { "200": "DoneWithSessions" },
    summary: "End all other sessions",
    description: "Returns how many there were.",
  }),
  rename: operation("PUT /api/account/name", {
    ...forOwners,
    changes: true,
    responds: "fields",
    schemas: (kit) => ({
      body: kit.exact({ name: kit.name }),
      answer: kit.object({ message: kit.text(), user: kit.user }),
    }),
    errors: ["BUSY"],
    summary: "Change own name",
    description:
      "Spaces around the name are removed. Returns the account with its new name; sessions continue.",
    example: { name: "Ada Example" },
  }),
  changePassword: operation("PUT /api/account/password", {
    ...forOwners,
    proof: "password",
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({ currentPassword: kit.presentPassword, newPassword: kit.newPassword }),
    }),
    errors: ["BUSY", "CONFLICT", "RATE_LIMITED"],
    summary: "Change own password",
    description:
      "All other sessions end, and this one continues with a new cookie. A wrong current password is a 422 on `currentPassword`. 409 for an account that has no password yet.",
    example: { currentPassword: sampleSecret, newPassword: `another ${sampleSecret}` },
  }),
  confirm: operation("POST /api/account/confirm", {
    ...forOwners,
    forEnrolment: true,
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({
        password: kit.optional(kit.presentPassword),
        code: kit.optional(kit.totpCode),
        ceremony: kit.optional(kit.passkeyAnswer.properties.ceremony),
        response: kit.optional(kit.passkeyAnswer.properties.response),
      }),
    }),
    errors: [
      "BUSY",
      "REAUTHENTICATION_REQUIRED",
      "CONFLICT",
      "RATE_LIMITED",
      "SECOND_FACTOR_UNREADABLE",
      "PASSKEY_REFUSED",
    ],
    summary: "Confirm that it is you",
    description:
      "With the password, a code of the authenticator app, or a passkey for the challenge of `/api/account/confirm/ceremony`, this session continues with a new cookie, and for ten minutes it may send the requests that need a recent sign-in; after a code or passkey also those that need the second factor. Without either nothing changes: 200 means that the session is proven enough for any request; otherwise `data.ways` of `REAUTHENTICATION_REQUIRED` says how to confirm it: by a passkey, a code, by password, or with a linked provider by `/api/account/confirm/provider`.",
    example: { password: sampleSecret },
    probe: { body: {}, status: 200 },
  }),
  beginConfirm: operation("POST /api/account/confirm/ceremony", {
    ...forOwners,
    forEnrolment: true,
    changes: true,
    responds: "data",
    schemas: (kit) => ({ answer: kit.object(kit.passkeyRequest.properties) }),
    errors: ["CONFLICT", "RATE_LIMITED"],
    summary: "Begin to confirm with a passkey",
    description:
      "Answers a challenge for one of your passkeys, valid for five minutes and once. 409 where `APP_URL` allows no passkeys.",
  }),
  confirmWithProvider: operation("POST /api/account/confirm/provider", {
    ...forOwners,
    forEnrolment: true,
    changes: true,
    responds: "data",
    schemas: (kit) => ({
      body: kit.exact({
        provider: kit.text({
          ...{ most: 40, description: "Id of a linked OpenID provider" },
          error: "Please name a linked provider",
        }),
        returnTo: kit.optional(
          kit.text({
            ...{ most: 2_000, description: "Path on this site to return to" },
            error: "Please give a path of at most 2,000 characters",
          }),
        ),
      }),
      answer: kit.object({ url: kit.text({ description: "Where to send the browser next" }) }),
    }),
    names: { "200": "WayToProvider" },
    errors: ["NOT_FOUND", "CONFLICT", "PROVIDER_NOT_CONFIGURED", "PROVIDER_UNAVAILABLE"],
    summary: "Begin to confirm with a provider",
    description:
      "Returns the provider's URL to open, where the user signs in again. When the browser returns, this session continues with a new cookie, and counts as confirmed since the time of the sign-in that the provider reports (`auth_time`). 409 for a provider that is not linked, or that reports none, such as GitHub.",
    example: { provider: "google" },
  }),
  endConfirmation: operation("DELETE /api/account/confirm", {
    ...forOwners,
    forEnrolment: true,
    changes: true,
    responds: "message",
    schemas: () => ({}),
    summary: "End a confirmation",
    description:
      "What needs a recent sign-in or the second factor asks for it again in this session, even if it has just begun. The session stays.",
  }),
  endSession: operation("DELETE /api/account/sessions/:id", {
    ...forOwners,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: kit.object({ id: kit.id("Id of one of your own sessions") }) }),
    errors: ["NOT_FOUND"],
    summary: "End one own session",
    description: "Ending the current session signs out.",
    example: { id: "019a9f00-0000-7000-8000-000000000000" },
  }),
  link: operation("POST /api/account/connections/:provider", {
    ...forOwners,
    proof: "password",
    changes: true,
    responds: "data",
    schemas: (kit) => ({
      params: provider(kit),
      body: confirmation(kit),
      answer: kit.object({ url: kit.text({ description: "Where to send the browser next" }) }),
    }),
    errors: [
      "BUSY",
      "NOT_FOUND",
      "CONFLICT",
      "PROVIDER_NOT_CONFIGURED",
      "PROVIDER_UNAVAILABLE",
      "RATE_LIMITED",
    ],
    summary: "Link a sign-in provider",
    description:
      "With the password; an account without one needs a session of the last ten minutes. Returns the provider's URL to open; the provider is linked when the browser returns, if this session has not ended.",
    example: { provider: "google", password: sampleSecret },
    probe: { params: { provider: "google" }, body: {}, status: 409 },
  }),
  unlink: operation("DELETE /api/account/connections/:provider", {
    ...forOwners,
    proof: "factor",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: provider(kit) }),
    errors: ["NOT_FOUND", "LAST_SECOND_FACTOR", "LAST_SIGN_IN_METHOD"],
    summary: "Unlink a sign-in provider",
    description:
      "Refused if it is the only sign-in method; providers that are not configured on this server don't count. Refused, too, if the second factor that the account must have is the one given there.",
    example: { provider: "github" },
    probe: { params: { provider: "google" }, status: 404 },
  }),
  remove: operation("DELETE /api/account", {
    ...forOwners,
    proof: "password",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ body: confirmation(kit) }),
    names: { body: "PasswordToConfirm" },
    errors: ["BUSY", "LAST_ADMIN", "CONFLICT", "RATE_LIMITED"],
    summary: "Delete own account",
    description:
      "With the password; an account without one needs a session of the last ten minutes. Refused for the last administrator.",
    example: { password: sampleSecret },
  }),
  export: operation("GET /api/account/export", {
    ...forOwners,
    proof: "factor",
    responds: "file",
    schemas: (kit) => ({ answer: kit.streamed("Indented JSON") }),
    summary: "Download own data",
    description: "Everything that is stored about you, as a JSON file without hashes and tokens.",
  }),
};

/** A person's account as they see it themselves. `isLastAdmin` can be neither deleted nor demoted. */
export type Account = AnswerOf<typeof accountContract.get>;
export type ChangeNameInput = InputOf<typeof accountContract.rename>;
export type ChangePasswordInput = InputOf<typeof accountContract.changePassword>;
export type ConfirmInput = InputOf<typeof accountContract.confirm>;
export type ConfirmWithProviderInput = InputOf<typeof accountContract.confirmWithProvider>;
export type LinkProviderInput = InputOf<typeof accountContract.link>;
export type DeleteAccountInput = InputOf<typeof accountContract.remove>;
export type CurrentSession = AnswerOf<typeof accountContract.session>;
/** A signed-in browser as its owner sees it; `device` says in words what it is. */
export type OwnSession = AnswerOf<typeof accountContract.sessions>["sessions"][number];
