import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, type InputOf, operation } from "#contract/operation.ts";

const forOwners = { access: "user", forEnrolment: true, tag: "Own account" } as const;

const newCodes = (kit: Kit) =>
  kit.object({
    recoveryCodes: kit.list(kit.text({ description: "Such as `q436-335n-mzd7-mng8`; each signs in once" }), {
      description: "Shown only now",
    }),
  });

/** How users look after their second factor. */
export const secondFactorsContract = {
  get: operation("GET /api/account/second-factors", {
    ...forOwners,
    proof: "none",
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        totp: kit.nullable(kit.object({ enabledAt: kit.instant }), {
          description: "The authenticator app; `null` without one",
        }),
        passkeys: kit.count,
        recoveryCodesLeft: kit.count,
        isOffered: kit.flag({ description: "Whether one can be set up or replaced" }),
        requiredBy: kit.nullable(kit.instant, {
          description: "By when one has to be set up; `null` with one, or where none is required",
        }),
      }),
    }),
    summary: "The own second factors",
    description: "Which second factors the account has, and how many recovery codes are left.",
  }),
  beginTotp: operation("POST /api/account/totp", {
    ...forOwners,
    proof: "factor",
    changes: true,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        secret: kit.text({ description: "The key to type, base32 in groups of four" }),
        uri: kit.text({ description: "The same as an `otpauth:` URI" }),
        qr: kit.object({
          size: kit.integer({ description: "Width and height in modules" }),
          path: kit.text({ description: "The dark modules, as the path of an SVG of that size" }),
        }),
      }),
    }),
    errors: ["CONFLICT"],
    summary: "Begin to set up an authenticator app",
    description:
      "Answers a new key, which is valid for 15 minutes. Nothing is enabled yet, and an authenticator app that is enabled stays in use: send the first code to `/api/account/totp/verify`. 409 for an account without a second factor while `accounts.secondFactor` is `off`.",
  }),
  verifyTotp: operation("POST /api/account/totp/verify", {
    ...forOwners,
    proof: "none",
    changes: true,
    responds: "data",
    schemas: (kit) => ({ body: kit.exact({ code: kit.totpCode }), answer: newCodes(kit) }),
    names: { "200": "NewRecoveryCodes" },
    errors: ["BUSY", "CONFLICT", "RATE_LIMITED", "SECOND_FACTOR_UNREADABLE"],
    summary: "Check the first code of an authenticator app",
    description:
      "Answers ten recovery codes. Nothing is enabled yet: show them, and call `/api/account/totp/enable` once the user has stored them. 422 on `code` for a wrong one, 409 when the setup has expired.",
    example: { code: "123456" },
  }),
  enableTotp: operation("POST /api/account/totp/enable", {
    ...forOwners,
    proof: "none",
    changes: true,
    responds: "message",
    schemas: () => ({}),
    errors: ["CONFLICT"],
    summary: "Enable the authenticator app",
    description:
      "From now on, sign-ins need a code of this app or a recovery code. It replaces the app that was enabled before, and its recovery codes. 409 before the first code was checked.",
    probe: { status: 409 },
  }),
  removeTotp: operation("DELETE /api/account/totp", {
    ...forOwners,
    proof: "factor",
    changes: true,
    responds: "message",
    schemas: () => ({}),
    errors: ["NOT_FOUND", "LAST_SECOND_FACTOR"],
    summary: "Remove the authenticator app",
    description:
      "Without a passkey, the recovery codes are deleted, too. Sign-ins then need only the password.",
    probe: { status: 404 },
  }),
  renewRecoveryCodes: operation("POST /api/account/recovery-codes", {
    ...forOwners,
    proof: "factor",
    changes: true,
    responds: "data",
    schemas: (kit) => ({ answer: newCodes(kit) }),
    errors: ["CONFLICT"],
    summary: "Replace the recovery codes",
    description: "Answers ten new ones; the old ones stop working. 409 without a second factor.",
    probe: { status: 409 },
  }),
};

export type OwnSecondFactors = AnswerOf<typeof secondFactorsContract.get>;
export type TotpSetup = AnswerOf<typeof secondFactorsContract.beginTotp>;
export type VerifyTotpInput = InputOf<typeof secondFactorsContract.verifyTotp>;
export type NewRecoveryCodes = AnswerOf<typeof secondFactorsContract.renewRecoveryCodes>;
