/**
 * Measures every subject once a round, in turn forwards and backwards: what disturbs the machine for a while then
 * falls on all of them. Resolves to one list of results for each subject, in the order given.
 */
export const interleave = async <Subject, Result>(
  subjects: Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<Result>,
): Promise<Result[][]> => {
  const results: Result[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const forwards = [...subjects.entries()];
    for (const [index, subject] of round % 2 === 0 ? forwards : forwards.reverse()) {
      results[index]?.push(await measure(subject));
    }
  }
  return results;
};

/** The value below which `share` (0 to 1) of the values lie; `NaN` for none. */
export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** The middle value; of an even number of values the upper of the two in the middle. */
export const median = (values: number[]): number => quantile(values, 0.5);
