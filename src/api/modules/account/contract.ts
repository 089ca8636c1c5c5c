import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, type InputOf, operation, sampleSecret } from "#contract/operation.ts";

const reading = ["NOT_SIGNED_IN", "DB_UNAVAILABLE"] as const;
const writing = [...reading, "CROSS_ORIGIN", "STORAGE_FULL"] as const;
const withBody = [
  ...writing,
  ...(["BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED", "BUSY"] as const),
] as const;
const forOwners = { access: "user", proof: "none", tag: "Own account" } as const;

/** A way in through a provider: whether this server offers it, and whether the person uses it. */
const connection = (kit: Kit) =>
  kit.object({
    configured: kit.flag({ description: "Whether this server offers the provider" }),
    linked: kit.flag(),
  });

/** People without a password leave it out; a body all the same, so that no other site's form can send it. */
const confirmation = (kit: Kit) => kit.exact({ password: kit.optional(kit.presentPassword) });
const provider = (kit: Kit) => kit.object({ provider: kit.id("`google` or `github`") });

/** What people can do about their own account. */
export const accountContract = {
  get: operation("GET /api/account", {
    ...forOwners,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        user: kit.user,
        hasPassword: kit.flag(),
        providers: kit.object({ google: connection(kit), github: connection(kit) }),
        isLastAdmin: kit.flag({ description: "Whether the account can't be deleted for now" }),
      }),
    }),
    names: { "200.data.providers.google": "ProviderLink", "200.data.user.role": "Role" },
    errors: reading,
    summary: "Get own account",
    description: "With its sign-in methods.",
    example: {},
    probe: { status: 200 },
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
    errors: reading,
    summary: "List own sessions",
    description: "The current session comes first, the others by last use, exact to a minute.",
    example: {},
    probe: { status: 200 },
  }),
  endOtherSessions: operation("DELETE /api/account/sessions", {
    ...forOwners,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ answer: kit.object({ ended: kit.integer() }) }),
    names: { "200": "DoneWithSessions" },
    errors: writing,
    summary: "End all other sessions",
    description: "Returns how many there were.",
    example: {},
    probe: { status: 200 },
  }),
  rename: operation("PUT /api/account/name", {
    ...forOwners,
    changes: true,
    responds: "fields",
    schemas: (kit) => ({
      body: kit.exact({ name: kit.name }),
      answer: kit.object({ message: kit.text(), user: kit.user }),
    }),
    errors: withBody,
    summary: "Change own name",
    description:
      "Spaces around the name are removed. Returns the account with its new name; sessions continue.",
    example: { name: "Ada Example" },
    probe: { body: {}, status: 422 },
  }),
  changePassword: operation("PUT /api/account/password", {
    ...forOwners,
    proof: "password",
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({ currentPassword: kit.presentPassword, newPassword: kit.newPassword }),
    }),
    errors: [...withBody, "CONFLICT", "RATE_LIMITED"],
    summary: "Change own password",
    description:
      "All other sessions end, and this one continues with a new cookie. A wrong current password is a 422 on `currentPassword`. 409 for an account that has no password yet.",
    example: { currentPassword: sampleSecret, newPassword: `another ${sampleSecret}` },
    probe: { body: {}, status: 422 },
  }),
  confirm: operation("POST /api/account/confirm", {
    ...forOwners,
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({ password: kit.optional(kit.presentPassword), code: kit.optional(kit.totpCode) }),
    }),
    errors: [
      ...([...withBody, "REAUTHENTICATION_REQUIRED", "CONFLICT"] as const),
      ...(["RATE_LIMITED", "SECOND_FACTOR_UNREADABLE"] as const),
    ],
    summary: "Confirm that it is you",
    description:
      "With the password, or a code of the authenticator app, this session continues with a new cookie, and for ten minutes it may send the requests that need a recent sign-in; after a code also those that need the second factor. Without either nothing changes: 200 means that the session is proven enough for any request; otherwise `data.ways` of `REAUTHENTICATION_REQUIRED` says how to confirm it: by a code, by password, or by signing in again with a provider.",
    example: { password: sampleSecret },
    probe: { body: {}, status: 200 },
  }),
  endSession: operation("DELETE /api/account/sessions/:id", {
    ...forOwners,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: kit.object({ id: kit.id("Id of one of your own sessions") }) }),
    errors: [...writing, "NOT_FOUND"],
    summary: "End one own session",
    description: "Ending the current session signs out.",
    example: { id: "019a9f00-0000-7000-8000-000000000000" },
    probe: { params: { id: "none" }, status: 404 },
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
      ...([...withBody, "NOT_FOUND", "CONFLICT", "PROVIDER_NOT_CONFIGURED"] as const),
      ...(["PROVIDER_UNAVAILABLE", "REAUTHENTICATION_REQUIRED", "RATE_LIMITED"] as const),
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
    errors: [...writing, "NOT_FOUND", "LAST_SIGN_IN_METHOD"],
    summary: "Unlink a sign-in provider",
    description:
      "Refused if it is the only sign-in method; providers that are not configured on this server don't count.",
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
    errors: [...withBody, "REAUTHENTICATION_REQUIRED", "LAST_ADMIN", "CONFLICT", "RATE_LIMITED"],
    summary: "Delete own account",
    description:
      "With the password; an account without one needs a session of the last ten minutes. Refused for the last administrator.",
    example: { password: sampleSecret },
    probe: { body: {}, status: 422 },
  }),
  export: operation("GET /api/account/export", {
    ...forOwners,
    proof: "factor",
    responds: "file",
    schemas: (kit) => ({ answer: kit.streamed("Indented JSON") }),
    errors: reading,
    summary: "Download own data",
    description: "Everything that is stored about you, as a JSON file without hashes and tokens.",
    example: {},
    probe: { status: 200 },
  }),
};

/** A person's account as they see it themselves. `isLastAdmin` can be neither deleted nor demoted. */
export type Account = AnswerOf<typeof accountContract.get>;
export type ChangeNameInput = InputOf<typeof accountContract.rename>;
export type ChangePasswordInput = InputOf<typeof accountContract.changePassword>;
export type ConfirmInput = InputOf<typeof accountContract.confirm>;
export type LinkProviderInput = InputOf<typeof accountContract.link>;
export type DeleteAccountInput = InputOf<typeof accountContract.remove>;
/** A signed-in browser as its owner sees it; `device` says in words what it is. */
export type OwnSession = AnswerOf<typeof accountContract.sessions>["sessions"][number];
