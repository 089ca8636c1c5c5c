import { FormatRegistry, type TSchema } from "@sinclair/typebox";
import { t } from "elysia";
import { type Complaint, emailComplaint, nameComplaint, passwordComplaint } from "#contract/account-rules.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";

/** A string that must pass a rule of `contract/`; its complaint becomes the field's message in the 422 answer. */
const ruled = (format: string, complaint: (value: string) => Complaint, description: string) => {
  FormatRegistry.Set(format, (value) => complaint(value) === null);
  return t.String({
    format,
    description,
    error: ({ value }: { value: unknown }) =>
      complaint(typeof value === "string" ? value : "") ?? "Please enter text",
  });
};

export const emailField = ruled("atrium-email", emailComplaint, "E-mail address, at most 254 characters");
export const nameField = ruled("atrium-name", nameComplaint, "A person's name, 1 to 100 characters");
export const newPasswordField = ruled(
  "atrium-password",
  passwordComplaint,
  "New password, 8 to 128 characters",
);

/** A success envelope with a message for a person and, when given, more fields beside it. */
export const done = <T extends Record<string, TSchema>>(fields: T = {} as T) =>
  t.Object({ success: t.Literal(true), message: t.String(), ...fields });

/** A success envelope around `data`. */
export const dataOf = <T extends TSchema>(data: T) => t.Object({ success: t.Literal(true), data });

/** The failure envelope, for each of the kinds that a route can answer with, keyed by status. */
export const failures = (...kinds: ErrorKind[]) =>
  Object.fromEntries(kinds.map((kind) => [errorStatus[kind], failure])) as Record<never, never>;

const failure = t.Object(
  {
    success: t.Literal(false),
    code: t.String({ description: "Stable code in UPPER_SNAKE" }),
    message: t.String({ description: "For a person" }),
    requestId: t.String(),
    errors: t.Optional(t.Array(t.Object({ path: t.String(), message: t.String() }))),
    needsVerification: t.Optional(t.Literal(true)),
  },
  { title: "Failure" },
);

/** A user as the API shows it. Source: CONTRACT §4. */
export const userSchema = t.Object({
  id: t.String({ format: "uuid" }),
  name: t.String(),
  email: t.String(),
  role: t.Union([t.Literal("user"), t.Literal("admin")]),
  googleId: t.Nullable(t.String()),
  githubId: t.Nullable(t.String()),
  emailVerified: t.Boolean(),
  createdAt: t.String({ format: "date-time" }),
});
