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
  isLongerThan,
  nameComplaint,
  passwordComplaint,
} from "#contract/account-rules.ts";
import { searchedRows } from "#contract/activity.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { type DocumentedLimits, trimmed } from "#contract/documented-limits.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";

/**
 * A string that must pass a rule of `contract/`; its complaint becomes the field's message in the 422 answer. `documented` is
 * what the API's document says of it.
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

export const emailField = checkedText("atrium-email", emailComplaint, {
  description: "E-mail address, at most 254 characters",
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
FormatRegistry.Set("atrium-present-password", (value) => value !== "" && !isOverlong(value));

/** A password that exists already: any that could have been chosen. */
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
 * A whole number in a query, written in digits alone. `t.Integer` would take `0x10` and `1e2` as well, and what it
 * says of a number out of bounds does not name the field.
 */
export const wholeNumberField = (bounds: WholeNumber) =>
  Type.Transform(Type.Unsafe<number>({ ...bounds, [Kind]: wholeNumberKind, type: "integer" }))
    .Decode(Number)
    .Encode(Number);

/**
 * A whole number in an answer. `t.Integer` is for what comes in: it takes texts as well, and makes a checker of its own
 * for each field that has it, which every start would wait for.
 */
export const integer = (options?: IntegerOptions) => Type.Integer(options);

/** A success envelope with a message for a person and more fields beside it, if any. */
export const done = <T extends Record<string, TSchema>>(fields: T) =>
  t.Object({ success: t.Literal(true), message: t.String(), ...fields });

/** A success envelope around `data`. */
export const dataOf = <T extends TSchema>(data: T) => t.Object({ success: t.Literal(true), data });

/**
 * The failure envelope, for each of the kinds that a route can answer with, keyed by status. Its type tells none of
 * them: failures are thrown, so a handler's own answers are all that the compiler has to compare.
 */
export const failures = (...kinds: ErrorKind[]): Record<never, never> =>
  Object.fromEntries(kinds.map((kind) => [errorStatus[kind], failure]));

/** What is answered is a file, and no JSON; the API's description says so. */
export const fileAnswer = (contentMediaType: string, description: string) =>
  t.Any({ contentMediaType, description });

/** The body of every failed call. */
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

/** What each step of a test of an external service came to; that of a failed one is in the failure's `data`. */
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

/** Of a list's pagination: whether a search finds more than `total` says. */
export const totalIsEstimateField = t.Boolean({
  description: `A search is counted exactly up to ${searchedRows} matches; there are more`,
});
