import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, type InputOf, operation } from "#contract/operation.ts";
import { wayInKinds } from "#contract/users.ts";

const forEverybody = { access: "public", proof: "none", tag: "Accounts" } as const;
// Whoever needs no session may come with an API token that is no good.
const checking = ["TOKEN_INVALID", "NOT_SIGNED_IN", "DB_UNAVAILABLE"] as const;
const writing = [
  ...(["BAD_REQUEST", "NOT_SIGNED_IN", "CROSS_ORIGIN", "PAYLOAD_TOO_LARGE"] as const),
  ...(["UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED", "BUSY", "STORAGE_FULL"] as const),
];

const sampleToken = "A".repeat(43);
const badToken = { params: { token: "none" }, status: 400 } as const;

/** What a reset removes besides the password. */
export const removedWay = (kit: Kit) => ({
  id: kit.uuid,
  kind: kit.choice(wayInKinds),
  label: kit.text({ description: "The provider's name, or the token's" }),
  since: kit.nullable(kit.instant, { description: "`null` where nobody knows" }),
});

/** What can be done without a session, and sets no cookie. The rest of sign-in are routes of their own. */
export const authContract = {
  forgotPassword: operation("POST /api/auth/forgot-password", {
    ...forEverybody,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ body: kit.exact({ email: kit.email }) }),
    errors: writing,
    summary: "Mail a link to a new password",
    description:
      "The answer is always the same; an account gets at most one mail a minute, ten an hour and thirty a day.",
    example: { email: "ada@fuzzed.example" },
    probe: { body: {}, status: 422 },
  }),
  checkResetLink: operation("GET /api/auth/reset-password/:token", {
    ...forEverybody,
    responds: "data",
    schemas: (kit) => ({
      params: kit.object({ token: kit.text({ description: "Token of the mailed link" }) }),
      answer: kit.object({
        waysIn: kit.list(
          kit.object({
            ...removedWay(kit),
            isNewer: kit.flag({
              description: "Whether it was added since a mailed link was last followed",
            }),
          }),
          { description: "What opens the account beside its password" },
        ),
      }),
    }),
    names: { "200.data.waysIn[].kind": "WayInKind" },
    errors: checking,
    summary: "Check a reset link",
    description:
      "For the page that the link opens: which ways into the account there are beside the password. Changes " +
      "nothing; the link stays good.",
    example: { token: sampleToken },
    probe: badToken,
  }),
  checkSetupLink: operation("GET /api/auth/setup/:token", {
    ...forEverybody,
    responds: "message",
    schemas: (kit) => ({
      params: kit.object({ token: kit.text({ description: "Token of the set-up link" }) }),
    }),
    errors: checking,
    summary: "Check a set-up link",
    description: "For the page that the link opens. Changes nothing; the link stays good.",
    example: { token: sampleToken },
    probe: badToken,
  }),
  providers: operation("GET /api/auth/providers", {
    ...forEverybody,
    responds: "data",
    schemas: (kit) => ({ answer: kit.object({ google: kit.flag(), github: kit.flag() }) }),
    errors: ["NOT_SIGNED_IN"],
    summary: "Which providers can be signed in through",
    description:
      "For sign-in pages: `true` for each provider that this server is set up for. To sign in, a browser opens " +
      "`/api/auth/google` or `/api/auth/github`.",
    example: {},
    probe: { status: 200 },
  }),
};

export type ForgotPasswordInput = InputOf<typeof authContract.forgotPassword>;
export type ResetLink = AnswerOf<typeof authContract.checkResetLink>;
export type ConfiguredProviders = AnswerOf<typeof authContract.providers>;
