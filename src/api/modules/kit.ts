import type { NumberOptions, Static, StringOptions, TLiteral, TSchema, TUnion } from "@sinclair/typebox";
import { t } from "elysia";
import { authTexts } from "#contract/auth-texts.ts";
import { eitherOf } from "#contract/define-settings.ts";
import type { JsonSchema } from "#contract/json-schema.ts";
import { type DocumentedLimits, limits } from "#contract/limits.ts";
import type { Json } from "#plugins/sdk/types.ts";
import {
  checkedText,
  emailField,
  fileAnswer,
  integer,
  lineField,
  nameField,
  newPasswordField,
  presentPasswordField,
  testResult,
  totalIsEstimateField,
  userSchema,
  wholeNumberField,
} from "./fields.ts";
import { sectionChange, sectionTold, sectionValues } from "./section-fields.ts";

type Fields = Parameters<typeof t.Object>[0];
type Words = { description?: string; error?: string | ((from: { value: unknown }) => string) };
type Literals<V extends readonly string[]> = { -readonly [At in keyof V]: TLiteral<V[At] & string> };

/** One of the words; `error` is the message for any other. */
const choice = <const V extends readonly string[]>(
  values: V,
  words: Words & { default?: V[number] } = {},
): TUnion<Literals<V>> => {
  const literals: unknown = values.map((value) => t.Literal(value));
  // The library takes tuples, and `map` makes a list of a tuple.
  return t.Union(literals as [TLiteral<string>, TLiteral<string>], words) as unknown as TUnion<Literals<V>>;
};

type Text = Words &
  Pick<StringOptions, "pattern" | "format" | "minLength"> & {
    most?: number;
    default?: string;
    documented?: DocumentedLimits;
    writeOnly?: true;
  };

/** A text of at most `most` characters. */
const text = ({ most, ...options }: Text = {}) =>
  t.String(most === undefined ? options : { maxLength: most, ...options });

const object = <F extends Fields>(fields: F, words: Words = {}) => t.Object(fields, words);

/** What contracts write schemas with. They don't import it: it is passed to them. */
export const kit = {
  /** A UUID in a response. */
  uuid: t.String({ format: "uuid" }),
  /** An id in a path: an invalid id is answered like an unknown one. */
  id: (description: string) => t.String({ description }),
  text,
  /** A text in one line. */
  line: lineField,
  choice,
  flag: (words: Words = {}) => t.Boolean(words),
  integer,
  count: integer({ minimum: 0 }),
  /** A whole number in a query. */
  wholeNumber: wholeNumberField,
  /** A whole number in a body. Not `t.Integer`, which also accepts texts. */
  whole: (bounds: Words & { minimum: number; maximum: number }) => t.Number({ ...bounds, multipleOf: 1 }),
  /** A time, ISO 8601 in UTC. */
  instant: t.String({ format: "date-time" }),
  email: emailField,
  name: nameField,
  newPassword: newPasswordField,
  /** An existing password. */
  presentPassword: presentPasswordField,
  /** A code of an authenticator app; a wrong one is refused as such, whatever it looks like. */
  totpCode: text({
    ...{ most: 20, description: "Six digits; spaces and hyphens are ignored" },
    error: authTexts.codeDigits,
  }),
  /** A recovery code of a second factor, however it is typed. */
  recoveryCode: text({
    ...{ most: 40, description: "Such as `q436-335n-mzd7-mng8`; it is used up" },
    error: authTexts.codeRequired,
  }),
  /** A passkey that is given: for which challenge, and what the browser made of it; a wrong one is refused as such. */
  passkeyAnswer: object({
    ceremony: text({
      ...{ most: 36, description: "As it came with the challenge" },
      error: "Please send the challenge's `ceremony`",
    }),
    response: t.Record(t.String(), t.Unknown(), {
      description: "`toJSON()` of the credential that the browser made or found",
    }),
  }),
  /** A challenge for a new passkey. */
  newPasskeyRequest: object({
    ceremony: t.String({ format: "uuid" }),
    options: t.Record(t.String(), t.Unknown(), {
      description: "For `PublicKeyCredential.parseCreationOptionsFromJSON`",
    }),
  }),
  /** A challenge for passkeys. */
  passkeyRequest: object({
    ceremony: t.String({ format: "uuid" }),
    options: t.Record(t.String(), t.Unknown(), {
      description: "For `PublicKeyCredential.parseRequestOptionsFromJSON`",
    }),
  }),
  /** A user as the API shows one. */
  user: userSchema,
  /** A text that a rule of `contract/` checks. */
  checkedText,
  optional: <T extends TSchema>(schema: T) => t.Optional(schema),
  nullable: <T extends TSchema>(schema: T, words: Words = {}) => t.Nullable(schema, words),
  list: <T extends TSchema>(items: T, words: Words & { minItems?: number; maxItems?: number } = {}) =>
    t.Array(items, words),
  /** One of several forms. */
  either: <T extends TSchema[]>(forms: [...T], words: Words = {}) => t.Union(forms, words),
  literal: <const V extends string | number | boolean>(value: V, words: Words = {}) =>
    t.Literal(value, words),
  number: (bounds: Words & NumberOptions = {}) => t.Number(bounds),
  /** One of the words, as an enumeration of the API's document; any other is refused with their list, unless `words` has an error. */
  oneOf: <const V extends [string, ...string[]] | readonly [string, ...string[]]>(
    values: V,
    words: Words = {},
  ) => t.UnionEnum(values, { error: `Please choose ${eitherOf(values)}`, ...words }),
  /** Values under any names. */
  record: <T extends TSchema>(values: T, words: Words = {}) => t.Record(t.String(), values, words),
  /** The same, where some names are always there. */
  recordWith: <T extends TSchema>(names: readonly string[], values: T, words: Words = {}) =>
    t.Unsafe<Record<string, Static<T>>>(
      t.Object(Object.fromEntries(names.map((name) => [name, values])), {
        ...words,
        additionalProperties: values,
      }),
    ),
  anything: t.Unknown(),
  nothing: t.Null(),
  /** A JSON Schema. */
  jsonSchema: (words: Words = {}) => t.Unsafe<JsonSchema>(t.Unknown(words)),
  object,
  /** An object with any fields. */
  facts: t.Record(t.String(), t.Unknown()),
  /** The same with any JSON values. */
  jsonFields: t.Record(t.String(), t.Unsafe<Json>(t.Unknown())),
  /** An object with no other fields, for input. `minProperties` is the minimum number of fields. */
  exact: <F extends Fields>(fields: F, words: Words & { minProperties?: number } = {}) =>
    t.Object(fields, { additionalProperties: false, ...words }),
  /** An object with some of these fields and no others: a change. */
  some: <F extends Fields>(fields: F) => t.Partial(t.Object(fields), { additionalProperties: false }),
  /** The values of a section of settings, those of one with secrets, and a change of them. */
  values: sectionValues,
  told: sectionTold,
  change: sectionChange,
  /** What the settings of an own feature are called in their history. */
  sectionOfFeature: t.Unsafe<`features.${string}`>(t.String({ pattern: "^features\\." })),
  /** The maximum number of rows of a list. */
  limit: wholeNumberField({
    minimum: 1,
    maximum: limits.pageSizeMax,
    default: limits.pageSize,
    error: `Please ask for 1 to ${limits.pageSizeMax} rows`,
  }),
  /** The number of rows of a list to skip. */
  offset: wholeNumberField({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    error: "Please begin at a whole number from 0",
  }),
  totalIsEstimate: totalIsEstimateField,
  /** Which page of a list is answered, and how many rows there are in all. */
  pagination: object({
    total: integer(),
    limit: integer(),
    offset: integer(),
    totalIsEstimate: totalIsEstimateField,
  }),
  testResult,
  file: fileAnswer,
  /** A stream: there is no value to compare. */
  streamed: (description: string) => t.Any({ description }),
};

/** The type of {@link kit}, for contracts. */
export type Kit = typeof kit;
