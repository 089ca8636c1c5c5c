import type { FieldError } from "./errors.ts";

/** One run of a check: what it found, and how much more it may look at. */
export type SchemaRun = { errors: FieldError[]; most: number; budget: { left: number } };

/** Compares a value, which stands at `path`, with a schema. */
export type Check = (value: unknown, path: string, run: SchemaRun) => void;

// A body of 1 MB takes a tenth of a second at worst; what takes longer is made to.
const mostSteps = 500_000;

/** Begins a run that tells at most `most` errors. */
export const startRun = (most: number): SchemaRun => ({ errors: [], most, budget: { left: mostSteps } });

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
