import type { Kit } from "#api/modules/kit.ts";
import { tokenLimits } from "#contract/api-tokens.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { registrationPolicies } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";
import { type AnswerOf, type InputOf, operation, sampleSecret } from "#contract/operation.ts";
import { providerKinds, wayInKinds } from "#contract/users.ts";

const forEverybody = { access: "public", proof: "none", tag: "Accounts" } as const;

const sampleToken = "A".repeat(43);
const sampleEmail = "ada@fuzzed.example";
const samplePerson = { name: "Ada Example", email: sampleEmail, password: sampleSecret };
const badToken = { params: { token: "none" }, status: 400 } as const;

// One identity at each provider; no server has more of those.
const mostWaysIn = 100 + tokenLimits.liveTokens;
const tooManyKept = `Please give at most ${mostWaysIn} ids`;

const mailedToken = (kit: Kit) =>
  kit.object({ token: kit.text({ description: "Token of the emailed link" }) });

const person = (kit: Kit) => ({ name: kit.name, email: kit.email, password: kit.newPassword });

/** The account that a link made. */
const verified = (kit: Kit) =>
  kit.object({
    name: kit.text(),
    email: kit.text(),
    resetToken: kit.optional(
      kit.text({
        description: "In the browser that registered: sets another password, once and within an hour",
      }),
    ),
  });

const signedIn = (kit: Kit) => kit.object({ message: kit.text(), user: kit.user });

/** What a reset removes besides the password. */
const removedWay = (kit: Kit) => ({
  id: kit.uuid,
  kind: kit.choice(wayInKinds),
  label: kit.text({ description: "The provider's name, or that of the passkey or token" }),
  since: kit.nullable(kit.instant, { description: "`null` if unknown" }),
});

/** Registration, sign-in and first setup. What browsers are sent to are routes of their own. */
export const authContract = {
  user: operation("GET /api/auth/user", {
    ...forEverybody,
    access: "user",
    forEnrolment: true,
    responds: "bare",
    // A schema of its own: the framework closes what is a whole answer at its first call, wherever else it is a part.
    schemas: (kit) => ({ answer: kit.object(kit.user.properties) }),
    names: { "200": "User" },
    summary: "Who is signed in",
    description: "Returns the user itself, without an envelope.",
  }),
  register: operation("POST /api/auth/register", {
    ...forEverybody,
    changes: true,
    responds: "message",
    status: 201,
    schemas: (kit) => ({ body: kit.exact(person(kit)) }),
    names: { "201": "Done" },
    errors: ["BUSY", "REGISTRATION_CLOSED"],
    summary: "Register",
    description:
      "Emails a link, and sets a cookie that identifies this registration for a day. The response is the same whether or not the address already has an account. `REGISTRATION_CLOSED` where the settings don't let its owner register.",
    example: samplePerson,
  }),
  verifyEmail: operation("GET /api/auth/verify-email/:token", {
    ...forEverybody,
    changes: true,
    stateChange: "by-token",
    responds: "message",
    schemas: (kit) => ({ params: mailedToken(kit), answer: verified(kit) }),
    names: { "200": "DoneWithVerification" },
    errors: ["TOKEN_INVALID", "PASSWORD_WANTED"],
    summary: "Verify an email address",
    description:
      "Uses up the emailed token, in the browser that registered: the account gets the name and password of that registration. Other browsers get `PASSWORD_WANTED`, and finish with `POST`.",
    example: { token: sampleToken },
    probe: badToken,
  }),
  finishVerification: operation("POST /api/auth/verify-email/:token", {
    ...forEverybody,
    changes: true,
    responds: "message",
    createsWith: "password",
    schemas: (kit) => ({
      params: mailedToken(kit),
      // Either field comes with the other; neither means the registration of the browser that calls.
      body: kit.exact({ name: kit.optional(kit.name), password: kit.optional(kit.newPassword) }),
      answer: verified(kit),
    }),
    errors: ["BUSY", "TOKEN_INVALID", "PASSWORD_WANTED"],
    summary: "Verify an email address and finish the account",
    description:
      "Uses up the emailed token. With `{}`, the account gets the name and password of the registration that this browser made (200), otherwise `PASSWORD_WANTED`, and the token stays valid. With `{name, password}`, it gets those (201). All other registrations and links of the email address end. Doesn't sign in.",
    example: { token: sampleToken, name: samplePerson.name, password: sampleSecret },
    probe: { ...badToken, body: {} },
  }),
  resendVerification: operation("POST /api/auth/resend-verification", {
    ...forEverybody,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ body: kit.exact({ email: kit.email }) }),
    names: { body: "EmailToWriteTo" },
    errors: ["BUSY", "REGISTRATION_CLOSED"],
    summary: "Email a new verification link",
    description:
      "For the registration of this browser, otherwise the newest; older links stay valid. The response is the same for every address that may register; an address gets at most one email a minute, ten an hour and thirty a day.",
    example: { email: sampleEmail },
  }),
  forgotPassword: operation("POST /api/auth/forgot-password", {
    ...forEverybody,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ body: kit.exact({ email: kit.email }) }),
    errors: ["BUSY"],
    summary: "Email a link to a new password",
    description:
      "The response is always the same; an account gets at most one email a minute, ten an hour and thirty a day.",
    example: { email: sampleEmail },
  }),
  checkResetLink: operation("GET /api/auth/reset-password/:token", {
    ...forEverybody,
    responds: "data",
    schemas: (kit) => ({
      params: mailedToken(kit),
      answer: kit.object({
        waysIn: kit.list(
          kit.object({
            ...removedWay(kit),
            isNewer: kit.flag({
              description: "Whether it was added after an emailed link was last used",
            }),
            isRemovable: kit.flag({
              description:
                "Whether the reset removes it unless `keep` names it: what is newer, but passkeys only where an older second factor stays",
            }),
          }),
          { description: "What can be used to sign in besides the password" },
        ),
      }),
    }),
    names: { "200.data.waysIn[].kind": "WayInKind" },
    errors: ["TOKEN_INVALID"],
    summary: "Check a reset link",
    description:
      "For the page that the link opens: the sign-in methods besides the password. Changes nothing; the link stays valid.",
    example: { token: sampleToken },
    probe: badToken,
  }),
  resetPassword: operation("POST /api/auth/reset-password/:token", {
    ...forEverybody,
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      params: mailedToken(kit),
      body: kit.exact({
        password: kit.newPassword,
        keep: kit.optional(
          kit.list(kit.text({ most: 36, error: tooManyKept }), {
            maxItems: mostWaysIn,
            error: tooManyKept,
            description: "Ids of newer sign-in methods to keep; without it, all newer ones are removed",
          }),
        ),
      }),
      answer: kit.object({ email: kit.text(), removed: kit.list(kit.object(removedWay(kit))) }),
    }),
    errors: ["BUSY", "TOKEN_INVALID"],
    summary: "Choose a new password",
    description:
      "Uses up the emailed token and ends all sessions of its owner. Removes the sign-in methods that were added after an emailed link was last used, except those in `keep`: linked identities, API tokens that the owner created, and passkeys where an older second factor stays. Doesn't sign in; the browser counts as known from then on.",
    example: { token: sampleToken, password: sampleSecret },
  }),
  login: operation("POST /api/auth/login", {
    ...forEverybody,
    changes: true,
    responds: "fields",
    schemas: (kit) => ({
      body: kit.exact({ email: kit.email, password: kit.presentPassword }),
      answer: signedIn(kit),
    }),
    names: { "200": "DoneWithUser" },
    errors: ["BUSY", "INVALID_CREDENTIALS", "EMAIL_NOT_VERIFIED", "SECOND_FACTOR_REQUIRED", "RATE_LIMITED"],
    summary: "Sign in",
    description:
      "Sets the session cookie, and one that marks the browser as known; an older session of the browser ends. For an account with a second factor, the right password answers `SECOND_FACTOR_REQUIRED` and sets the cookie `step`: finish at `/api/auth/login/factor`.",
    example: { email: sampleEmail, password: sampleSecret },
  }),
  loginWithFactor: operation("POST /api/auth/login/factor", {
    ...forEverybody,
    changes: true,
    responds: "fields",
    schemas: (kit) => ({
      body: kit.exact({
        code: kit.optional(kit.totpCode),
        recoveryCode: kit.optional(kit.recoveryCode),
        ceremony: kit.optional(kit.passkeyAnswer.properties.ceremony),
        response: kit.optional(kit.passkeyAnswer.properties.response),
      }),
      answer: signedIn(kit),
    }),
    errors: ["BUSY", "CODE_INVALID", "PASSKEY_REFUSED", "RATE_LIMITED", "SECOND_FACTOR_UNREADABLE"],
    summary: "Finish signing in with a second factor",
    description:
      "With the cookie `step` that the password or the provider brought, for ten minutes, and a code of the authenticator app, a recovery code, or a passkey for the challenge of `/api/auth/login/factor/ceremony`. Answers like a sign-in with a password alone.",
    example: { code: "123456" },
  }),
  beginFactor: operation("POST /api/auth/login/factor/ceremony", {
    ...forEverybody,
    changes: true,
    responds: "data",
    schemas: (kit) => ({ answer: kit.object(kit.passkeyRequest.properties) }),
    names: { "200": "PasskeyRequest" },
    errors: ["RATE_LIMITED", "CONFLICT"],
    summary: "Begin to give a passkey as the second factor",
    description:
      "Answers a challenge for one of the passkeys of the account that the cookie `step` is for, valid for five minutes and once.",
    probe: { status: 401 },
  }),
  beginPasskey: operation("POST /api/auth/passkey/ceremony", {
    ...forEverybody,
    changes: true,
    responds: "data",
    schemas: (kit) => ({ answer: kit.object(kit.passkeyRequest.properties) }),
    errors: ["RATE_LIMITED", "CONFLICT"],
    summary: "Begin to sign in with a passkey",
    description:
      "Answers a challenge for any passkey of this site, valid for five minutes and once. The response says nothing about accounts. 409 where `APP_URL` allows no passkeys.",
  }),
  loginWithPasskey: operation("POST /api/auth/passkey", {
    ...forEverybody,
    changes: true,
    responds: "fields",
    schemas: (kit) => ({ body: kit.exact(kit.passkeyAnswer.properties), answer: signedIn(kit) }),
    errors: ["BUSY", "PASSKEY_REFUSED", "CONFLICT"],
    summary: "Sign in with a passkey",
    description:
      "With what the browser made of the challenge. It counts as both factors, because the authenticator has made sure who uses it. Answers like a sign-in with a password.",
    example: { ceremony: "019a9f00-0000-7000-8000-000000000000", response: {} },
  }),
  logout: operation("POST /api/auth/logout", {
    ...forEverybody,
    changes: true,
    responds: "message",
    schemas: () => ({}),
    summary: "Sign out",
    description: "Ends the session and removes its cookie.",
  }),
  setup: operation("POST /api/auth/setup", {
    ...forEverybody,
    changes: true,
    responds: "fields",
    status: 201,
    schemas: (kit) => ({
      body: kit.exact({
        // A bad token is a `TOKEN_INVALID`, however badly it is formed.
        token: kit.text({
          description: "Token of the link",
          // So many of base64url its bytes come to.
          documented: { maxLength: Math.ceil((limits.mailedTokenBytes * 4) / 3) },
          error: authTexts.setupInvalid,
        }),
        ...person(kit),
      }),
      answer: signedIn(kit),
    }),
    errors: ["BUSY", "TOKEN_INVALID"],
    summary: "Create the first administrator",
    description: "With the link that the first start prints, while there are no users. Signs in.",
    example: { token: sampleToken, ...samplePerson },
  }),
  checkSetupLink: operation("GET /api/auth/setup/:token", {
    ...forEverybody,
    responds: "message",
    schemas: (kit) => ({
      params: kit.object({ token: kit.text({ description: "Token of the setup link" }) }),
    }),
    errors: ["TOKEN_INVALID"],
    summary: "Check a setup link",
    description: "For the page that the link opens. Changes nothing; the link stays valid.",
    example: { token: sampleToken },
    probe: badToken,
  }),
  providers: operation("GET /api/auth/providers", {
    ...forEverybody,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        google: kit.flag(),
        github: kit.flag(),
        providers: kit.list(
          kit.object({
            id: kit.text(),
            label: kit.text({ description: "The name for users" }),
            kind: kit.choice(providerKinds),
          }),
          { description: "All that are configured, these two included" },
        ),
        registration: kit.object({
          policy: kit.oneOf(registrationPolicies, { description: "The setting `accounts.registration`" }),
          notice: kit.nullable(kit.text(), {
            description: "Who may register, in words; `null` for everyone",
          }),
        }),
      }),
    }),
    names: { "200.data.providers[].kind": "ProviderKind" },
    summary: "Sign-in providers, and who may register",
    description:
      "For sign-in pages: the providers that are configured on this server. To sign in, a browser opens `/api/auth/` followed by the id.",
  }),
  checkLinkUndo: operation("GET /api/auth/unlink-provider/:token", {
    ...forEverybody,
    responds: "data",
    schemas: (kit) => ({
      params: mailedToken(kit),
      answer: kit.object({ provider: kit.text({ description: "The provider's name for users" }) }),
    }),
    errors: ["TOKEN_INVALID"],
    summary: "Check the link that unlinks a provider",
    description: "For the page that the link opens. Changes nothing; the link stays valid.",
    example: { token: sampleToken },
    probe: badToken,
  }),
  undoLink: operation("POST /api/auth/unlink-provider/:token", {
    ...forEverybody,
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      params: mailedToken(kit),
      body: kit.exact({}),
      answer: kit.object({
        resetToken: kit.optional(
          kit.text({
            description: "Where no other sign-in method is left: sets a password, once and within an hour",
          }),
        ),
      }),
    }),
    errors: ["BUSY", "TOKEN_INVALID"],
    summary: "Unlink a provider with an emailed link",
    description:
      "Works once, within 7 days after the provider was linked, while it still is. Ends all sessions of the user.",
    example: { token: sampleToken },
    probe: { ...badToken, body: {} },
  }),
};

export type CurrentUser = AnswerOf<typeof authContract.user>;
export type RegisterInput = InputOf<typeof authContract.register>;
export type VerifyInput = InputOf<typeof authContract.finishVerification>;
/** An account that a link made; `resetToken` sets another password where the browser had registered. */
export type Verified = AnswerOf<typeof authContract.finishVerification>;
export type ResendInput = InputOf<typeof authContract.resendVerification>;
export type LoginInput = InputOf<typeof authContract.login>;
export type FactorInput = InputOf<typeof authContract.loginWithFactor>;
export type SetupInput = InputOf<typeof authContract.setup>;
export type ForgotPasswordInput = InputOf<typeof authContract.forgotPassword>;
export type ResetPasswordInput = InputOf<typeof authContract.resetPassword>;
/** Whose password was changed, and what was removed with the old one. */
export type ResetDone = AnswerOf<typeof authContract.resetPassword>;
export type ResetLink = AnswerOf<typeof authContract.checkResetLink>;
/** Which provider a link unlinks. */
export type LinkUndo = AnswerOf<typeof authContract.checkLinkUndo>;
/** What is left to do: `resetToken` sets a password where nothing else opens the account. */
export type LinkUndone = AnswerOf<typeof authContract.undoLink>;
export type ConfiguredProviders = AnswerOf<typeof authContract.providers>;
/** Who may register; `notice` says it in words and is `null` where everyone may. */
export type RegistrationState = ConfiguredProviders["registration"];
