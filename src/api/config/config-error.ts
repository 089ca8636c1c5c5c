/** One variable that cannot be used: its name, what it holds with secrets masked, and what is expected instead. */
export type ConfigProblem = { variable: string; value: string; expected: string };

/** Thrown when the environment cannot be used; it carries every problem, and its message has one line for each. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(describeProblem).join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** A problem as one line for a person. */
export const describeProblem = ({ variable, value, expected }: ConfigProblem): string =>
  `${variable} holds ${value === "" ? "nothing" : `"${value}"`}; expected ${expected}`;
