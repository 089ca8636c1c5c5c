import type { FieldError } from "./errors.ts";

/** One run of a check: what it found, and how much more it may look at. */
export type SchemaRun = { errors: FieldError[]; most: number; budget: SchemaBudget };

/** What checks may still look at, and what was too much for them. */
export type SchemaBudget = { left: number; gaveUp: FieldError | null };

/** Compares a value, which stands at `path`, with a schema. */
export type Check = (value: unknown, path: string, run: SchemaRun) => void;

// A body of 1 MB takes a tenth of a second at worst; what takes longer is made to.
const mostSteps = 500_000;

/** What one check may look at, or several together. */
export const startBudget = (): SchemaBudget => ({ left: mostSteps, gaveUp: null });

/** Ends a run with a complaint: what was not looked at must count as fitting nowhere, not even behind a `not`. */
export const giveUp = ({ budget }: SchemaRun, path: string, message: string): void => {
  budget.gaveUp ??= { path, message };
  budget.left = 0;
};

/** Adds an error, unless there are enough. */
export const say = (run: SchemaRun, path: string, message: string): void => {
  if (!isFull(run)) run.errors.push({ path, message });
};

/** Whether nothing more needs to be looked at. */
export const isFull = (run: SchemaRun): boolean => run.errors.length >= run.most || run.budget.left <= 0;

/** What a check says of a value, without saying it in the run itself; it takes from the same budget. */
export const tryOut = (
  check: Check,
  value: unknown,
  { path, run }: { path: string; run: SchemaRun },
): FieldError[] => {
  const trial = { errors: [], most: run.most, budget: run.budget };
  check(value, path, trial);
  return trial.errors;
};
