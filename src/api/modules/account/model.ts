import { type Static, t } from "elysia";
import {
  dataOf,
  done,
  nameField,
  newPasswordField,
  presentPasswordField,
  userSchema,
} from "#api/modules/fields.ts";

const known = { additionalProperties: false };

export const changeNameBody = t.Object({ name: nameField }, known);
export type ChangeNameInput = Static<typeof changeNameBody>;

export const changePasswordBody = t.Object(
  { currentPassword: presentPasswordField, newPassword: newPasswordField },
  known,
);
export type ChangePasswordInput = Static<typeof changePasswordBody>;

/** People without a password leave it out; see the operation. */
export const deleteAccountBody = t.Object({ password: t.Optional(presentPasswordField) }, known);
export type DeleteAccountInput = Static<typeof deleteAccountBody>;

/** People without a password leave it out; a body all the same, so that no other site's form can send it. */
export const linkProviderBody = t.Object({ password: t.Optional(presentPasswordField) }, known);
export type LinkProviderInput = Static<typeof linkProviderBody>;

export const sessionParams = t.Object({ id: t.String({ description: "Id of one of the own sessions" }) });
export const providerParams = t.Object({ provider: t.String({ description: "`google` or `github`" }) });

export const messageAnswer = done({});
export const userAnswer = done({ user: userSchema });
export const linkAnswer = dataOf(
  t.Object({ url: t.String({ description: "Where to send the browser next" }) }),
);
