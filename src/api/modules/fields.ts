import {
  FormatRegistry,
  type IntegerOptions,
  Kind,
  type TSchema,
  Type,
  TypeRegistry,
} from "@sinclair/typebox";
import { t } from "elysia";
import {
  type Complaint,
  emailComplaint,
  hasUnprintable,
  hasVisible,
  isLongerThan,
  nameComplaint,
  passwordComplaint,
} from "#contract/account-rules.ts";
import { searchedRows } from "#contract/activity.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";
import { type DocumentedLimits, limits, trimmed } from "#contract/limits.ts";
import { schemaFormats } from "#contract/schema-values.ts";

/**
 * A string that must pass a rule of `contract/`; its complaint becomes the field's message in the 422 response.
 * `documented` goes into the API document.
 */
export const checkedText = (
  format: string,
  complaint: (value: string) => Complaint,
  { description, ...documented }: DocumentedLimits & { description: string },
) => {
  FormatRegistry.Set(format, (value) => complaint(value) === null);
  return t.String({
    format,
    description,
    documented,
    error: ({ value }: { value: unknown }) =>
      complaint(typeof value === "string" ? value : "") ?? "Please enter text",
  });
};

/** A text of 1 to `most` characters that can be shown in one line, such as a title; `error` is the message for any other. */
export const lineField = ({
  most,
  error,
  description,
}: {
  most: number;
  error: string;
  description: string;
}) =>
  checkedText(
    `atrium-line-${most}`,
    (value) => (isLongerThan(value, most) || hasUnprintable(value) || !hasVisible(value) ? error : null),
    { description, minLength: 1, maxLength: most },
  );

export const emailField = checkedText("atrium-email", emailComplaint, {
  description: "Email address, at most 254 characters",
  ...trimmed(5, limits.emailLength),
});
export const nameField = checkedText("atrium-name", nameComplaint, {
  description: "A person's name, 1 to 100 characters",
  ...trimmed(1, limits.nameLength),
});
export const newPasswordField = checkedText("atrium-password", passwordComplaint, {
  description: "New password, 8 to 128 characters",
  minLength: limits.passwordMinLength,
  maxLength: limits.passwordMaxLength,
});

// Counted in characters, as for new passwords: whatever was accepted there can be sent here.
const isOverlong = (password: string) => isLongerThan(password, limits.passwordMaxLength);
// A calendar day that the database has, too: the year 0 is none there.
FormatRegistry.Set("date", (value) => schemaFormats.date(value) && !value.startsWith("0000"));

FormatRegistry.Set("atrium-present-password", (value) => value !== "" && !isOverlong(value));

/** An existing password: any that could have been chosen. */
export const presentPasswordField = t.String({
  format: "atrium-present-password",
  description: "At most 128 characters",
  documented: { minLength: 1, maxLength: limits.passwordMaxLength } satisfies DocumentedLimits,
  error: ({ value }: { value: unknown }) =>
    typeof value === "string" && isOverlong(value) ? authTexts.passwordTooLong : authTexts.passwordRequired,
});

type WholeNumber = {
  minimum: number;
  maximum: number;
  default?: number;
  error: string;
  description?: string;
};

const wholeNumberKind = "AtriumWholeNumber";
TypeRegistry.Set<WholeNumber>(wholeNumberKind, ({ minimum, maximum }, value) => {
  const number = typeof value === "string" && /^[0-9]{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= minimum && Number(number) <= maximum;
});

/**
 * A whole number in a query, only digits. `t.Integer` would also accept `0x10` and `1e2`, and its message for a number
 * out of bounds doesn't name the field.
 */
export const wholeNumberField = (bounds: WholeNumber) =>
  Type.Transform(Type.Unsafe<number>({ ...bounds, [Kind]: wholeNumberKind, type: "integer" }))
    .Decode(Number)
    .Encode(Number);

/**
 * A whole number in a response. `t.Integer` is for input: it also accepts texts, and compiles a checker for each field,
 * which would slow down every start.
 */
export const integer = (options?: IntegerOptions) => Type.Integer(options);

/** A success envelope with a message and any additional fields. */
export const done = <T extends Record<string, TSchema>>(fields: T) =>
  t.Object({ success: t.Literal(true), message: t.String(), ...fields });

/** A success envelope around `data`. */
export const dataOf = <T extends TSchema>(data: T) => t.Object({ success: t.Literal(true), data });

/**
 * The failure envelopes of a route, for each error code, keyed by status. Their type is empty: failures are thrown, so
 * the compiler only has to compare a handler's own responses.
 */
export const failures = (...kinds: ErrorKind[]): Record<never, never> =>
  Object.fromEntries(kinds.map((kind) => [errorStatus[kind], failure]));

/** The response is a file, not JSON; the API document says so. */
export const fileAnswer = (contentMediaType: string, description: string) =>
  t.Any({ contentMediaType, description });

/** The body of every error response. */
export const failure = t.Object(
  {
    success: t.Literal(false),
    code: t.String({ description: "Stable code in UPPER_SNAKE" }),
    message: t.String({ description: "For a person" }),
    requestId: t.String(),
    errors: t.Optional(t.Array(t.Object({ path: t.String(), message: t.String() }))),
    needsVerification: t.Optional(t.Literal(true)),
    data: t.Optional(t.Unknown()),
  },
  { title: "Failure" },
);

/** The steps of a test of an external service; those of a failed one are in the error's `data`. */
export const testResult = t.Object({
  title: t.String(),
  message: t.String(),
  severity: t.UnionEnum(["success", "warning", "error"]),
  details: t.String(),
  testResults: t.Array(
    t.Object({
      name: t.String(),
      status: t.UnionEnum(["passed", "warning", "failed", "skipped"]),
      message: t.String(),
      remedy: t.Optional(t.String()),
      durationMs: t.Optional(t.Number()),
    }),
  ),
});

/** A user as the API shows it. */
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

/** For pagination: whether a search finds more than `total` says. */
export const totalIsEstimateField = t.Boolean({
  description: `A search is counted exactly up to ${searchedRows} matches; there are more`,
});
