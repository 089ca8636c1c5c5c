import { hasUnprintable, isLongerThan } from "./account-rules.ts";
import { type FieldError, fieldTexts } from "./errors.ts";
import {
  createSchemaCheck,
  type JsonSchema,
  ownValue,
  pathTo,
  type SchemaBudget,
  type SchemaOptions,
  startBudget,
} from "./json-schema.ts";
import { createPatternBook } from "./pattern-size.ts";
import { schemaTexts, manifestTexts as texts } from "./plugin-texts.ts";
import { readSchema } from "./schema-problems.ts";

/** A schema of settings: what a form can be drawn for. Its properties are fields, lists of values, or objects of such. */
export type SettingsSchema = JsonSchema & {
  readonly type: "object";
  readonly properties: { readonly [name: string]: JsonSchema };
  readonly additionalProperties: false;
};

const most = { settings: 100, titleLength: 100, textLength: 500, choiceLength: 200 } as const;

/**
 * Reads a schema of settings: an object of text, numbers, switches, choices, lists of those, or objects of all these.
 * Secrets are texts at the top level. Paths of problems begin at the schema.
 */
export const readSettingsSchema = (
  value: unknown,
  { compilePattern }: SchemaOptions,
): { schema: SettingsSchema } | { problems: FieldError[] } => {
  const options = { compilePattern: createPatternBook(compilePattern) };
  const read = readSchema(value, options);
  if ("problems" in read) return read;
  const { type, properties } = read.schema;
  if (type !== "object" || properties === undefined)
    return { problems: [{ path: "", message: texts.settingsObject }] };
  const schema = sealed({ ...read.schema, type, properties, additionalProperties: false });
  const problems = [
    ...(Object.keys(properties).length > most.settings
      ? [{ path: "properties", message: schemaTexts.manyFields(most.settings) }]
      : []),
    ...groupProblems(read.schema, { path: "", level: 0 }),
    ...defaultProblems(schema, { path: "", options, budget: startBudget() }),
  ];
  return problems.length === 0 ? { schema } : { problems };
};

/** Objects within settings hold the named fields alone, too. */
const sealed = (schema: SettingsSchema): SettingsSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [
      name,
      field.type === "object" ? { ...field, additionalProperties: false } : field,
    ]),
  ),
});

type Place = { path: string; level: number };
type Kind = keyof typeof keywordsOf;

const everywhere = ["title", "description", "x-order"];
const ofValues = [...everywhere, "type", "enum", "default", "examples"];

const keywordsOf = {
  group: [...everywhere, "type", "properties", "required", "additionalProperties", "default"],
  list: [...everywhere, "type", "items", "minItems", "maxItems", "uniqueItems", "default", "examples"],
  text: [
    ...ofValues,
    ...["minLength", "maxLength", "pattern", "format", "x-secret", "x-placeholder", "x-multiline"],
  ],
  number: [
    ...ofValues,
    ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "x-placeholder"],
  ],
  flag: ofValues,
  choice: ofValues,
} as const;

/** What a field is to a form, or `null` when it is nothing that one can draw. */
const kindOf = (field: JsonSchema): Kind | null => {
  if (field.type === undefined) return field.enum === undefined ? null : "choice";
  if (typeof field.type !== "string") return null;
  const kinds: Partial<Record<string, Kind>> = {
    object: "group",
    array: "list",
    string: "text",
    number: "number",
    integer: "number",
    boolean: "flag",
  };
  return kinds[field.type] ?? null;
};

const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

const groupProblems = (group: JsonSchema, { path, level }: Place): FieldError[] => {
  const properties = group.properties ?? {};
  const allowed = level === 0 ? ["$schema", ...keywordsOf.group] : keywordsOf.group;
  const isClosed = group.additionalProperties === undefined || group.additionalProperties === false;
  const isKnown = (name: string) => ownValue(properties, name) !== undefined;
  return [
    ...keywordProblems(group, { path, allowed }),
    ...givenProblems(group, path),
    ...(isClosed ? [] : [{ path: pathTo(path, "additionalProperties"), message: texts.settingsOthers }]),
    ...(group.required ?? []).flatMap((name, index) =>
      isKnown(name)
        ? []
        : [{ path: pathTo(pathTo(path, "required"), index), message: texts.settingsRequired }],
    ),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const place = { path: pathTo(pathTo(path, "properties"), name), level: level + 1 };
      return isSettingName(name)
        ? fieldProblems(field, place)
        : [{ path: place.path, message: texts.settingsName }];
    }),
  ];
};

/** Whether a text can name a setting; what every object has by itself cannot. */
const isSettingName = (name: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) && !(name in Object.prototype);

const fieldProblems = (field: JsonSchema, place: Place): FieldError[] => {
  const { path, level } = place;
  const kind = kindOf(field);
  if (kind === null) return [{ path, message: texts.settingsType }];
  if (kind === "group")
    return level === 1 ? groupProblems(field, place) : [{ path, message: texts.settingsLevels }];
  const problems = [...keywordProblems(field, { path, allowed: keywordsOf[kind] })];
  if (kind === "list") {
    const { items } = field;
    const itemKind = items === undefined ? null : kindOf(items);
    if (items === undefined || itemKind === null || itemKind === "group" || itemKind === "list")
      problems.push({ path: pathTo(path, "items"), message: texts.settingsType });
    // A value in a list is never at the top level.
    else problems.push(...fieldProblems(items, { path: pathTo(path, "items"), level: level + 1 }));
  }
  return [
    ...problems,
    ...givenProblems(field, path),
    ...choiceProblems(field, path),
    ...secretProblems(field, place),
  ];
};

/** Values that a form begins with or shows: only where several lines may stand, a text has line breaks. */
const givenProblems = (field: JsonSchema, path: string): FieldError[] => {
  const takesLines = field["x-multiline"] === true || field.type === "object";
  const isPlain = (text: string) => !hasUnprintable(takesLines ? text.replace(/[\n\t]/g, "") : text);
  return (["default", "examples"] as const).flatMap((keyword) =>
    textsIn(field[keyword]).every(isPlain)
      ? []
      : [{ path: pathTo(path, keyword), message: fieldTexts.unprintable }],
  );
};

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const keywordProblems = (
  schema: JsonSchema,
  { path, allowed }: { path: string; allowed: readonly string[] },
): FieldError[] =>
  Object.entries(schema).flatMap(([keyword, value]) => {
    const inner = pathTo(path, keyword);
    if (!allowed.includes(keyword)) return [{ path: inner, message: texts.settingsKeyword }];
    const isText = ["title", "description", "x-placeholder"].includes(keyword) && typeof value === "string";
    const complaint = isText ? shownComplaint(value, shownLength(keyword)) : null;
    return complaint === null ? [] : [{ path: inner, message: complaint }];
  });

const shownLength = (keyword: string): number => (keyword === "title" ? most.titleLength : most.textLength);

const shownComplaint = (text: string, length: number): string | null => {
  if (isLongerThan(text, length)) return schemaTexts.manyCharacters(length);
  return hasUnprintable(text) ? fieldTexts.unprintable : null;
};

const choiceProblems = (field: JsonSchema, path: string): FieldError[] =>
  (field.enum ?? []).flatMap((choice, index) => {
    const inner = pathTo(pathTo(path, "enum"), index);
    if (!isScalar(choice)) return [{ path: inner, message: texts.settingsType }];
    const complaint = typeof choice === "string" ? shownComplaint(choice, most.choiceLength) : null;
    return complaint === null ? [] : [{ path: inner, message: complaint }];
  });

const secretProblems = (field: JsonSchema, { path, level }: Place): FieldError[] => {
  if (field["x-secret"] !== true) return [];
  const inner = pathTo(path, "x-secret");
  if (level !== 1 || field.enum !== undefined) return [{ path: inner, message: texts.secretPlace }];
  // What is in a manifest is no secret.
  const isTold = field.default !== undefined || field.examples !== undefined;
  return isTold ? [{ path: inner, message: texts.secretDefault }] : [];
};

type Defaults = { path: string; options: SchemaOptions; budget: SchemaBudget };

/** Defaults that do not fit the schema that they are in; all of them have the time of one check. */
const defaultProblems = (schema: JsonSchema, { path, options, budget }: Defaults): FieldError[] => [
  ...("default" in schema && budget.left > 0
    ? createSchemaCheck(schema, options)(schema.default, budget).map((error) => ({
        path: [pathTo(path, "default"), error.path].filter((part) => part !== "").join("."),
        message: error.message,
      }))
    : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    defaultProblems(field, { path: pathTo(pathTo(path, "properties"), name), options, budget }),
  ),
  ...(schema.items === undefined
    ? []
    : defaultProblems(schema.items, { path: pathTo(path, "items"), options, budget })),
];
