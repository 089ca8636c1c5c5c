import type { FieldError } from "./errors.ts";
import { isObject, type JsonObject, pathTo } from "./json-schema.ts";
import { PatternFault, patternLimits } from "./pattern-size.ts";
import { schemaFaultTexts as texts } from "./plugin-texts.ts";
import {
  type CompilePattern,
  isDeeperThan,
  isSchemaFormat,
  type JsonSchema,
  jsonTypes,
  nearestName,
  type SchemaOptions,
  schemaFormats,
} from "./schema-values.ts";

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
