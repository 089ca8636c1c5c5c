import { type FieldError, fieldTexts } from "./errors.ts";
import { PatternFault, patternLimits } from "./pattern-size.ts";
import { schemaTexts, schemaFaultTexts as texts } from "./plugin-texts.ts";
import {
  type Check,
  type CompilePattern,
  canonical,
  characters,
  giveUp,
  isDeeperThan,
  isFull,
  isObject,
  isSchemaFormat,
  type JsonObject,
  type JsonSchema,
  type JsonType,
  jsonTypes,
  nearestName,
  type PatternTest,
  pathTo,
  type SchemaOptions,
  type SchemaRun,
  say,
  schemaFormats,
} from "./schema-values.ts";

const typeTests: Record<JsonType, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

const typeWords: Record<JsonType, string> = {
  object: "an object",
  array: "a list",
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "yes or no",
  null: "nothing",
};

const formatWords: Record<keyof typeof schemaFormats, string> = {
  email: "an email address",
  uri: "a URL with its scheme, such as https://example.com",
  date: "a date such as 2026-01-31",
  "date-time": "a date and time such as 2026-01-31T12:00:00Z",
  uuid: "a UUID",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  hostname: "a host name",
};

/** Whether a value is of a type that the schema allows. */
export const fitsType = ({ type }: JsonSchema, value: unknown): boolean =>
  type === undefined || listed(type).some((name) => typeTests[name](value));

/** The complaint about a value of a wrong type. */
export const typeComplaint = ({ type = [] }: JsonSchema): string =>
  schemaTexts.type(
    listed(type)
      .map((name) => typeWords[name])
      .join(" or "),
  );

const listed = (type: JsonType | readonly JsonType[]): readonly JsonType[] =>
  typeof type === "string" ? [type] : type;

// Longer lists of choices are not read out.
const mostNamed = 25;

/** `enum` and `const`. */
export const enumRules = (schema: JsonSchema): Check[] => {
  const lists = [schema.enum, "const" in schema ? [schema.const] : undefined];
  return lists.filter((values) => values !== undefined).map(oneOfValues);
};

const oneOfValues = (values: readonly unknown[]): Check => {
  const allowed = new Set(values.map((value) => canonical(value)));
  const isNested = values.some((value) => typeof value === "object");
  const isNamed = values.length <= mostNamed && !isNested;
  const complaint = isNamed ? schemaTexts.choices(values.map(String).join(", ")) : schemaTexts.choice;
  return (value, path, run) => {
    const isComparable = isNested || typeof value !== "object" || value === null;
    if (!isComparable || !allowed.has(canonical(value))) say(run, path, complaint);
  };
};

/** Bounds and steps of numbers. */
export const numberRules = (schema: JsonSchema): Check[] => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const rules: [(value: number) => boolean, string][] = [];
  if (minimum !== undefined) rules.push([(value) => value >= minimum, schemaTexts.least(minimum)]);
  if (maximum !== undefined) rules.push([(value) => value <= maximum, schemaTexts.most(maximum)]);
  if (exclusiveMinimum !== undefined)
    rules.push([(value) => value > exclusiveMinimum, schemaTexts.above(exclusiveMinimum)]);
  if (exclusiveMaximum !== undefined)
    rules.push([(value) => value < exclusiveMaximum, schemaTexts.below(exclusiveMaximum)]);
  if (multipleOf !== undefined)
    rules.push([(value) => isMultiple(value, multipleOf), schemaTexts.multiple(multipleOf)]);
  return rules.map(([holds, complaint]) => (value, path, run) => {
    if (typeof value === "number" && !holds(value)) say(run, path, complaint);
  });
};

/** Steps such as 0.1 have no exact double: a quotient within rounding of a whole number is one. */
const isMultiple = (value: number, step: number): boolean => {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= 4 * Number.EPSILON * Math.max(1, Math.abs(quotient));
};

// An instruction of a pattern takes longer than other steps: all steps of a check on patterns alone are about 15 ms.
const stepsOfInstruction = 1.5;

/** Lengths in characters, patterns and formats of texts. */
export const stringRules = (schema: JsonSchema, compilePattern: CompilePattern): Check[] => {
  const { minLength, maxLength, pattern, format } = schema;
  const rules: ((text: string) => string | null)[] = [];
  if (minLength !== undefined)
    rules.push((text) => (characters(text) < minLength ? schemaTexts.fewCharacters(minLength) : null));
  if (maxLength !== undefined)
    rules.push((text) => (characters(text) > maxLength ? schemaTexts.manyCharacters(maxLength) : null));
  if (format !== undefined) {
    const complaint = schemaTexts.format(formatWords[format]);
    rules.push((text) => (schemaFormats[format](text) ? null : complaint));
  }
  const fits = pattern === undefined ? null : compilePattern(pattern);
  if (rules.length === 0 && fits === null) return [];
  return [
    (value, path, run) => {
      if (typeof value !== "string") return;
      run.budget.left -= value.length / 100;
      for (const rule of rules) {
        const complaint = rule(value);
        // The first one is enough: the others follow from it.
        if (complaint !== null) return say(run, path, complaint);
      }
      if (fits !== null) matchPattern(fits, value, { path, run });
    },
  ];
};

/** Compares only what there is time left for: afterwards it would be too late. */
const matchPattern = (
  fits: PatternTest,
  text: string,
  { path, run }: { path: string; run: SchemaRun },
): void => {
  const isShort = text.length <= patternLimits.textLength;
  if (isShort) run.budget.left -= (text.length + 1) * (fits.size ?? 1) * stepsOfInstruction;
  if (!isShort) giveUp(run, path, schemaTexts.patternTooLong);
  else if (run.budget.left <= 0) giveUp(run, path, schemaTexts.tooMuch);
  else if (!fits(text)) say(run, path, schemaTexts.pattern);
};

/** Entries of lists. */
export const arrayRules = (schema: JsonSchema, inner: (part: JsonSchema) => Check): Check[] => {
  const { items, minItems, maxItems, uniqueItems } = schema;
  const item = items === undefined ? null : inner(items);
  const rules: ((list: readonly unknown[], path: string, run: SchemaRun) => void)[] = [];
  rules.push((list, path, run) => {
    if (minItems !== undefined && list.length < minItems) say(run, path, schemaTexts.fewItems(minItems));
    if (maxItems !== undefined && list.length > maxItems) say(run, path, schemaTexts.manyItems(maxItems));
  });
  if (item !== null)
    rules.push((list, path, run) => {
      for (let index = 0; index < list.length && !isFull(run); index += 1)
        item(list[index], pathTo(path, index), run);
    });
  if (uniqueItems === true)
    rules.push((list, path, run) => {
      run.budget.left -= list.length;
      if (new Set(list.map((value) => canonical(value))).size < list.length)
        say(run, path, schemaTexts.repeated);
    });
  return [
    (value, path, run) => {
      if (Array.isArray(value)) for (const rule of rules) rule(value, path, run);
    },
  ];
};

/** Fields of objects: only an object's own ones count, whatever they are named. */
export const objectRules = (schema: JsonSchema, inner: (part: JsonSchema) => Check): Check[] => {
  const { required = [], additionalProperties: others = true, minProperties, maxProperties } = schema;
  const known = new Map(Object.entries(schema.properties ?? {}).map(([name, part]) => [name, inner(part)]));
  const other = typeof others === "boolean" ? null : inner(others);
  const checkFields = (object: JsonObject, path: string, run: SchemaRun) => {
    for (const name of required)
      if (!Object.hasOwn(object, name)) say(run, pathTo(path, name), fieldTexts.required);
    for (const key of Object.keys(object)) {
      if (isFull(run)) return;
      run.budget.left -= 1;
      const check = known.get(key) ?? other;
      if (check !== null) check(object[key], pathTo(path, key), run);
      else if (others === false) say(run, pathTo(path, key), unknownText(key, known.keys()));
    }
  };
  return [
    (value, path, run) => {
      if (!isObject(value)) return;
      const count =
        minProperties === undefined && maxProperties === undefined ? 0 : Object.keys(value).length;
      if (minProperties !== undefined && count < minProperties)
        say(run, path, schemaTexts.fewFields(minProperties));
      if (maxProperties !== undefined && count > maxProperties)
        say(run, path, schemaTexts.manyFields(maxProperties));
      checkFields(value, path, run);
    },
  ];
};

const unknownText = (name: string, known: Iterable<string>): string => {
  const nearest = nearestName(name, known);
  return nearest === null ? fieldTexts.unknown : schemaTexts.unknown(nearest);
};

/** Bounds of a schema: levels of schemas within each other, and schemas and values in all. */
const most = { depth: 10, nodes: 500, valueDepth: 10, branches: 20, errors: 50 } as const;

/** What is in the way of using a schema; nothing when it can be used. */
export const schemaProblems = (schema: unknown, { compilePattern }: SchemaOptions): FieldError[] => {
  const walk: Walk = { problems: [], nodes: 0, patterns: { count: 0, size: 0 }, compilePattern };
  visit(schema, { path: "", depth: 1, walk });
  return walk.problems.slice(0, most.errors);
};

/** The schema, or what is in the way of using it. */
export const readSchema = (
  value: unknown,
  options: SchemaOptions,
): { schema: JsonSchema } | { problems: FieldError[] } => {
  const problems = schemaProblems(value, options);
  return problems.length === 0 ? { schema: checked(value) } : { problems };
};

/** What {@link schemaProblems} has nothing against has exactly this type; the compiler cannot know. */
const checked = (value: unknown): JsonSchema => value as JsonSchema;

type Walk = {
  problems: FieldError[];
  nodes: number;
  patterns: { count: number; size: number };
  compilePattern: CompilePattern;
};
type Place = { path: string; depth: number; walk: Walk };
type Reader = (value: unknown, place: Place) => void;

const visit: Reader = (schema, { path, depth, walk }) => {
  if (walk.problems.length >= most.errors || !countNodes(1, { path, depth, walk })) return;
  if (!isObject(schema)) return complain(walk, path, texts.notASchema);
  if (depth > most.depth) return complain(walk, path, texts.tooDeep(most.depth));
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = { path: pathTo(path, keyword), depth, walk };
    const read = keyword === "$schema" && depth > 1 ? undefined : keywords.get(keyword);
    if (read === undefined) complain(walk, inner.path, unknownKeyword(keyword));
    else read(value, inner);
  }
};

const complain = (walk: Walk, path: string, message: string): void => {
  walk.problems.push({ path, message });
};

/** Whether there is room for more; says so, once, when there is not. */
const countNodes = (count: number, { path, walk }: Place): boolean => {
  const hadRoom = walk.nodes <= most.nodes;
  walk.nodes += count;
  if (walk.nodes <= most.nodes) return true;
  if (hadRoom) complain(walk, path, texts.tooMany(most.nodes));
  return false;
};

const unknownKeyword = (keyword: string): string => {
  if (/^\$(?:ref|defs|dynamicRef|anchor)$/.test(keyword) || keyword === "definitions") return texts.reference;
  // A known one is only in the wrong place.
  const nearest = keywords.has(keyword) ? null : nearestName(keyword, keywords.keys());
  return nearest === null ? texts.keyword : texts.keywordNear(nearest);
};

const must =
  (holds: (value: unknown) => boolean, complaint: string): Reader =>
  (value, { path, walk }) => {
    if (!holds(value)) complain(walk, path, complaint);
  };

const text = must((value) => typeof value === "string", texts.text);
const flag = must((value) => typeof value === "boolean", texts.flag);
const number = must(Number.isFinite, texts.number);
const whole = must(Number.isSafeInteger, texts.whole);
const count = must((value) => Number.isSafeInteger(value) && Number(value) >= 0, texts.count);
const positive = must((value) => Number.isFinite(value) && Number(value) > 0, texts.positive);

const isName = (value: unknown): value is string => typeof value === "string" && value !== "__proto__";

const names = must(
  (value) => Array.isArray(value) && value.every(isName) && new Set(value).size === value.length,
  texts.names,
);

const isType = (value: unknown): boolean => jsonTypes.some((type) => type === value);

const type = must(
  (value) =>
    isType(value) ||
    (Array.isArray(value) && value.length > 0 && value.every(isType) && new Set(value).size === value.length),
  texts.type(jsonTypes.join(", ")),
);

const anyValue: Reader = (value, { path, walk }) => {
  if (isDeeperThan(value, most.valueDepth)) complain(walk, path, texts.valueDeep(most.valueDepth));
};

const values: Reader = (list, place) => {
  if (!Array.isArray(list) || list.length === 0) return complain(place.walk, place.path, texts.values);
  if (countNodes(list.length, place)) anyValue(list, place);
};

const pattern: Reader = (value, { path, walk }) => {
  if (typeof value !== "string") return complain(walk, path, texts.text);
  const { length, ofSchema } = patternLimits;
  if (value.length > length) return complain(walk, path, texts.patternLong(length));
  const { patterns } = walk;
  patterns.count += 1;
  // What is too much is not even compiled.
  if (patterns.count > ofSchema.patterns) return complain(walk, path, texts.manyPatterns(ofSchema.patterns));
  if (patterns.size > ofSchema.size) return complain(walk, path, texts.patternsSize);
  try {
    patterns.size += walk.compilePattern(value).size ?? 0;
    if (patterns.size > ofSchema.size) complain(walk, path, texts.patternsSize);
  } catch (error) {
    // What exactly the engine dislikes is in its own words, which are not for everyone.
    complain(walk, path, error instanceof PatternFault ? error.message : texts.pattern);
  }
};

const schema: Reader = (value, { path, depth, walk }) => visit(value, { path, depth: depth + 1, walk });

const schemas: Reader = (list, place) => {
  if (!Array.isArray(list) || list.length === 0 || list.length > most.branches)
    return complain(place.walk, place.path, texts.schemas);
  for (const [index, part] of list.entries()) schema(part, { ...place, path: pathTo(place.path, index) });
};

const properties: Reader = (value, place) => {
  if (!isObject(value)) return complain(place.walk, place.path, texts.properties);
  for (const [name, part] of Object.entries<unknown>(value satisfies JsonObject)) {
    const inner = { ...place, path: pathTo(place.path, name) };
    if (isName(name)) schema(part, inner);
    else complain(place.walk, inner.path, texts.propertyName);
  }
};

const flagOrSchema: Reader = (value, place) => {
  if (typeof value !== "boolean") schema(value, place);
};

const keywords: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    $schema: text,
    title: text,
    description: text,
    default: anyValue,
    examples: values,
    type,
    enum: values,
    const: anyValue,
    properties,
    required: names,
    additionalProperties: flagOrSchema,
    minProperties: count,
    maxProperties: count,
    items: schema,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: positive,
    minLength: count,
    maxLength: count,
    pattern,
    format: must(isSchemaFormat, texts.format(Object.keys(schemaFormats).join(", "))),
    anyOf: schemas,
    oneOf: schemas,
    allOf: schemas,
    not: schema,
    "x-secret": flag,
    "x-order": whole,
    "x-placeholder": text,
    "x-multiline": flag,
  }),
);
