import { FormatRegistry } from "@sinclair/typebox";
import { type Static, t } from "elysia";
import { done, emailField, nameField, newPasswordField, userSchema } from "#api/modules/fields.ts";
import { isLongerThan } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

const known = { additionalProperties: false };

// Counted in characters, as for new passwords: whatever was accepted there can be sent here.
const isOverlong = (password: string) => isLongerThan(password, limits.passwordMaxLength);
FormatRegistry.Set("atrium-present-password", (value) => value !== "" && !isOverlong(value));

/** A password that exists already: any that could have been chosen. */
const presentPassword = t.String({
  format: "atrium-present-password",
  description: "At most 128 characters",
  error: ({ value }: { value: unknown }) =>
    typeof value === "string" && isOverlong(value) ? authTexts.passwordTooLong : authTexts.passwordRequired,
});

export const registerBody = t.Object(
  { name: nameField, email: emailField, password: newPasswordField },
  known,
);
export type RegisterInput = Static<typeof registerBody>;

export const loginBody = t.Object({ email: emailField, password: presentPassword }, known);
export type LoginInput = Static<typeof loginBody>;

export const resendBody = t.Object({ email: emailField }, known);
export type ResendInput = Static<typeof resendBody>;

/** A bad token is a `TOKEN_INVALID`, however badly it is formed. */
const tokenField = t.String({ description: "Token of a link", error: authTexts.setupInvalid });

export const verifyParams = t.Object({ token: t.String({ description: "Token of the mailed link" }) });

export const setupBody = t.Object(
  { token: tokenField, name: nameField, email: emailField, password: newPasswordField },
  known,
);
export type SetupInput = Static<typeof setupBody>;

export const messageAnswer = done({});
export type MessageAnswer = Static<typeof messageAnswer>;

export const userAnswer = done({ user: userSchema });
export const currentUserAnswer = userSchema;
