import { hasUnprintable } from "./account-rules.ts";
import { type FieldError, fieldTexts } from "./errors.ts";
import { patternLimits } from "./pattern-size.ts";
import { schemaTexts } from "./plugin-texts.ts";
import {
  type CompilePattern,
  type JsonSchema,
  type JsonType,
  nearestName,
  type PatternTest,
  type SchemaOptions,
  schemaFormats,
} from "./schema-values.ts";

export type { CompilePattern, JsonSchema, PatternTest, SchemaOptions } from "./schema-values.ts";

/**
 * Compiles patterns with the language's own engine, whose time a pattern can blow up: for browsers, where whoever waits
 * is the one who loaded the page, and for patterns that are constants.
 */
export const compileBrowserPattern: CompilePattern = (pattern) => {
  const compiled = new RegExp(pattern, "u");
  return (text) => compiled.test(text);
};

/** What a check tells at most. */
const mostErrors = 50;

/**
 * Makes a check of values from a schema that `schemaProblems` has nothing against. A check tells at most 50 errors, none
 * when the value fits; it takes bounded time, and gives up on values that would take more. Checks that are given one
 * budget take from it together.
 */
export const createSchemaCheck = (
  schema: JsonSchema,
  options: SchemaOptions,
): ((value: unknown, budget?: SchemaBudget) => FieldError[]) => {
  const check = compile(schema, options);
  return (value, budget = startBudget()) => {
    const run: SchemaRun = { errors: [], most: mostErrors, budget };
    check(value, "", run);
    return budget.left > 0 ? run.errors : [budget.gaveUp ?? { path: "", message: schemaTexts.tooMuch }];
  };
};

const compile = (schema: JsonSchema, options: SchemaOptions): Check => {
  const inner = (part: JsonSchema) => compile(part, options);
  const rules = [
    ...enumRules(schema),
    ...numberRules(schema),
    ...stringRules(schema, options.compilePattern),
    ...arrayRules(schema, inner),
    ...objectRules(schema, inner),
    ...branchRules(schema, inner),
  ];
  return (value, path, run) => {
    run.budget.left -= 1;
    // Whatever else is said of a value of the wrong type only confuses.
    if (!fitsType(schema, value)) return say(run, path, typeComplaint(schema));
    for (const rule of rules) {
      if (isFull(run)) return;
      rule(value, path, run);
    }
  };
};

/** `allOf`, `anyOf`, `oneOf` and `not`. */
const branchRules = (schema: JsonSchema, inner: (part: JsonSchema) => Check): Check[] => {
  const rules: Check[] = (schema.allOf ?? []).map(inner);
  const { anyOf, oneOf, not } = schema;
  if (anyOf !== undefined) rules.push(choose(anyOf, { inner, isExclusive: false }));
  if (oneOf !== undefined) rules.push(choose(oneOf, { inner, isExclusive: true }));
  if (not !== undefined) {
    const refused = inner(not);
    rules.push((value, path, run) => {
      if (tryOut(refused, value, { path, run }).length === 0) say(run, path, schemaTexts.not);
    });
  }
  return rules;
};

const choose = (
  branches: readonly JsonSchema[],
  { inner, isExclusive }: { inner: (part: JsonSchema) => Check; isExclusive: boolean },
): Check => {
  const checks = branches.map((branch) => ({ branch, check: inner(branch) }));
  return (value, path, run) => {
    let fitting = 0;
    const ofItsType: FieldError[][] = [];
    for (const { branch, check } of checks) {
      const errors = tryOut(check, value, { path, run });
      if (errors.length === 0) fitting += 1;
      if (fitting > 0 && !isExclusive) return;
      if (fitsType(branch, value)) ofItsType.push(errors);
    }
    if (fitting > 1) say(run, path, schemaTexts.manyBranches);
    if (fitting > 0) return;
    // With a single branch for values of this type, what it says is what has to be fixed.
    const [only, ...others] = ofItsType;
    if (only === undefined || others.length > 0) return say(run, path, schemaTexts.noBranch);
    for (const error of only) say(run, error.path, error.message);
  };
};

/** An object of JSON, with its own keys only: a key such as `__proto__` is one like any other. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is an object of JSON: neither a list nor `null`. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an object has under a key by itself, never what it inherits; `undefined` when there is nothing. */
export const ownValue = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

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
const fitsType = ({ type }: JsonSchema, value: unknown): boolean =>
  type === undefined || listed(type).some((name) => typeTests[name](value));

/** The complaint about a value of a wrong type. */
const typeComplaint = ({ type = [] }: JsonSchema): string =>
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
const enumRules = (schema: JsonSchema): Check[] => {
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
const numberRules = (schema: JsonSchema): Check[] => {
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
const stringRules = (schema: JsonSchema, compilePattern: CompilePattern): Check[] => {
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
const arrayRules = (schema: JsonSchema, inner: (part: JsonSchema) => Check): Check[] => {
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
const objectRules = (schema: JsonSchema, inner: (part: JsonSchema) => Check): Check[] => {
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

/** One run of a check: what it found, and how much more it may look at. */
type SchemaRun = { errors: FieldError[]; most: number; budget: SchemaBudget };

/** What checks may still look at, and what was too much for them. */
export type SchemaBudget = { left: number; gaveUp: FieldError | null };

/** Compares a value, which stands at `path`, with a schema. */
type Check = (value: unknown, path: string, run: SchemaRun) => void;

// A body of 1 MB takes a tenth of a second at worst; what takes longer is made to.
const mostSteps = 500_000;

/** What one check may look at, or several together. */
export const startBudget = (): SchemaBudget => ({ left: mostSteps, gaveUp: null });

/** Ends a run with a complaint: what was not looked at must count as fitting nowhere, not even behind a `not`. */
const giveUp = ({ budget }: SchemaRun, path: string, message: string): void => {
  budget.gaveUp ??= { path, message };
  budget.left = 0;
};

/** Adds an error, unless there are enough. */
const say = (run: SchemaRun, path: string, message: string): void => {
  if (!isFull(run)) run.errors.push({ path, message });
};

/** Whether nothing more needs to be looked at. */
const isFull = (run: SchemaRun): boolean => run.errors.length >= run.most || run.budget.left <= 0;

/** What a check says of a value, without saying it in the run itself; it takes from the same budget. */
const tryOut = (
  check: Check,
  value: unknown,
  { path, run }: { path: string; run: SchemaRun },
): FieldError[] => {
  const trial = { errors: [], most: run.most, budget: run.budget };
  check(value, path, trial);
  return trial.errors;
};

// Longer keys are cut in paths: a path is shown to people.
const shownKeyLength = 60;

/** The dotted path of something inside `path`; keys that cannot be shown become `?`. */
export const pathTo = (path: string, key: string | number): string => {
  const shown = typeof key === "number" ? String(key) : shownKey(key);
  return path === "" ? shown : `${path}.${shown}`;
};

const plainKey = /^\w{1,60}$/;

const shownKey = (key: string): string => {
  if (plainKey.test(key)) return key;
  if (key === "") return '""';
  const cut = key.length > shownKeyLength ? `${key.slice(0, shownKeyLength - 1)}…` : key;
  return hasUnprintable(cut) ? "?" : cut;
};

/** How many characters a text has: pairs of UTF-16 units count once. */
const characters = (text: string): number => {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) count -= 1;
  }
  return count;
};

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

// Nothing that is compared is nested deeper; what is deeper in there counts as the same.
const comparedDepth = 100;

/** A text that two values of JSON share exactly when they are equal, in whatever order their keys stand. */
const canonical = (value: unknown, depth = 0): string => {
  if (depth > comparedDepth) return "…";
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`);
  return `{${entries.join()}}`;
};
