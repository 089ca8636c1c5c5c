import type { FieldError } from "./errors.ts";
import { schemaTexts } from "./plugin-texts.ts";
import {
  arrayRules,
  enumRules,
  fitsType,
  numberRules,
  objectRules,
  stringRules,
  typeComplaint,
} from "./schema-checks.ts";
import {
  type Check,
  type CompilePattern,
  isFull,
  type JsonSchema,
  type SchemaBudget,
  type SchemaOptions,
  type SchemaRun,
  say,
  startBudget,
  tryOut,
} from "./schema-values.ts";

export { readSchema, schemaProblems } from "./schema-checks.ts";
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
