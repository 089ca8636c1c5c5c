import { type Static, t } from "elysia";
import {
  done,
  emailField,
  nameField,
  newPasswordField,
  presentPasswordField,
  userSchema,
} from "#api/modules/fields.ts";
import { kit } from "#api/modules/kit.ts";
import { tokenLimits } from "#contract/api-tokens.ts";
import { authTexts } from "#contract/auth-texts.ts";
import type { DocumentedLimits } from "#contract/documented-limits.ts";
import { limits } from "#contract/limits.ts";
import { providerNames } from "#contract/users.ts";
import { removedWay } from "./contract.ts";

const known = { additionalProperties: false };

const mostWaysIn = providerNames.length + tokenLimits.liveTokens;
const tooManyKept = `Please name at most ${mostWaysIn} ids`;

export const registerBody = t.Object(
  { name: nameField, email: emailField, password: newPasswordField },
  known,
);
export type RegisterInput = Static<typeof registerBody>;

export const loginBody = t.Object({ email: emailField, password: presentPasswordField }, known);
export type LoginInput = Static<typeof loginBody>;

export const resendBody = t.Object({ email: emailField }, known);
export type ResendInput = Static<typeof resendBody>;

export const resetPasswordBody = t.Object(
  {
    password: newPasswordField,
    keep: t.Optional(
      t.Array(t.String({ maxLength: 36, error: tooManyKept }), {
        maxItems: mostWaysIn,
        error: tooManyKept,
        description:
          "Ids of ways into the account that stay although they are newer; without it, all newer ones are removed",
      }),
    ),
  },
  known,
);
export type ResetPasswordInput = Static<typeof resetPasswordBody>;

/** Whose password was changed, and what was removed with the old one. */
export const resetAnswer = done({
  data: t.Object({ email: t.String(), removed: t.Array(t.Object(removedWay(kit))) }),
});
export type ResetAnswer = Static<typeof resetAnswer>;

/** A bad token is a `TOKEN_INVALID`, however badly it is formed. */
const tokenField = t.String({
  description: "Token of a link",
  // So many of base64url its bytes come to.
  documented: { maxLength: Math.ceil((limits.mailedTokenBytes * 4) / 3) } satisfies DocumentedLimits,
  error: authTexts.setupInvalid,
});

/** Either field comes with the other; neither means the registration of the browser that calls. */
export const verifyBody = t.Object(
  { name: t.Optional(nameField), password: t.Optional(newPasswordField) },
  known,
);
export type VerifyInput = Static<typeof verifyBody>;

export const verifyParams = t.Object({ token: t.String({ description: "Token of the mailed link" }) });

export const resetParams = t.Object({ token: t.String({ description: "Token of the mailed link" }) });

export const setupBody = t.Object(
  { token: tokenField, name: nameField, email: emailField, password: newPasswordField },
  known,
);
export type SetupInput = Static<typeof setupBody>;

export const messageAnswer = done({});
export type MessageAnswer = Static<typeof messageAnswer>;

/** The account that a link made. */
export const verifiedAnswer = done({
  data: t.Object({
    name: t.String(),
    email: t.String(),
    resetToken: t.Optional(
      t.String({
        description: "Where this browser had registered: sets another password, once and for an hour",
      }),
    ),
  }),
});
export type VerifiedAnswer = Static<typeof verifiedAnswer>;

export const userAnswer = done({ user: userSchema });
export type UserAnswer = Static<typeof userAnswer>;
/** A schema of its own: the framework closes what is a whole answer at its first call, wherever else it is a part. */
export const currentUserAnswer = t.Object(userSchema.properties);
export type CurrentUserAnswer = Static<typeof currentUserAnswer>;

// Whatever else providers add to the address is theirs to know.
const tolerant = { additionalProperties: true };

const textOf = (maxLength: number, description: string) => t.Optional(t.String({ maxLength, description }));

export const startQuery = t.Object(
  { returnTo: textOf(2_000, "Path on this site to come back to; anything else leads to the dashboard") },
  tolerant,
);

export const callbackQuery = t.Object(
  {
    state: textOf(4_000, "What the provider was sent"),
    code: textOf(4_000, "What the provider knows the person by, once"),
    error: textOf(200, "Why the provider sends nobody"),
  },
  tolerant,
);

/** A redirect; programs find its target in the body as well. */
export const redirectAnswer = t.Object(
  { location: t.String() },
  { description: "The way goes on at `Location`; after any failure that is `/login?error=auth_failed`" },
);
