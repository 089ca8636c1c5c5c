/** One change that was only asked about: in words, and the call that would make it, or `null` for one on this machine. */
export type PlannedStep = { words: string; call: `${string} /${string}` | null };

/** Ends a command that was run with `--plan` where it would have changed something. */
export class Planned extends Error {
  readonly steps: readonly PlannedStep[];

  constructor(...steps: PlannedStep[]) {
    super("only planned");
    this.name = "Planned";
    this.steps = steps;
  }
}

/** The option of every command that changes something, for `option`. */
export const planOption = [
  "--plan",
  "show what would be done, or why not, without changing anything",
] as const;

/** What work would do that ends at its first change; empty for work that changes nothing. Throws what else it throws. */
export const stepsOf = async (work: () => Promise<unknown>): Promise<readonly PlannedStep[]> => {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof Planned) return error.steps;
    throw error;
  }
};

/** A plan as `--json` prints it. */
export type PlanResult = { plan: string[]; calls: string[] };

/** Steps as a result. */
export const planResult = (steps: readonly PlannedStep[]): PlanResult => ({
  plan: steps.map(({ words }) => words),
  calls: steps.flatMap(({ call }) => (call === null ? [] : [call])),
});
