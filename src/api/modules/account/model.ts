import { type Static, t } from "elysia";
import {
  dataOf,
  done,
  integer,
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

const connection = t.Object({
  configured: t.Boolean({ description: "Whether this server offers the provider" }),
  linked: t.Boolean(),
});

export const accountAnswer = dataOf(
  t.Object({
    user: userSchema,
    hasPassword: t.Boolean(),
    providers: t.Object({ google: connection, github: connection }),
    isLastAdmin: t.Boolean({ description: "Whether the account cannot be deleted for now" }),
  }),
);

const instant = t.String({ format: "date-time" });

export const sessionList = dataOf(
  t.Object({
    sessions: t.Array(
      t.Object({
        id: t.String({ format: "uuid" }),
        isCurrent: t.Boolean(),
        ip: t.String(),
        userAgent: t.Nullable(t.String({ description: "As the browser sent it" })),
        device: t.String({ description: "In words, such as `Firefox on Linux`" }),
        createdAt: instant,
        lastUsedAt: instant,
        expiresAt: instant,
      }),
    ),
  }),
);

export const messageAnswer = done({});
export const userAnswer = done({ user: userSchema });
export const endedAnswer = done({ data: t.Object({ ended: integer() }) });
export const linkAnswer = dataOf(
  t.Object({ url: t.String({ description: "Where to send the browser next" }) }),
);

/** Streamed, so there is no value to compare. */
export const accountDownload = t.Any({ description: "Indented JSON" });
