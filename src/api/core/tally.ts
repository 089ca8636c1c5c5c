/** Counts by a word from a small set. */
export type Tally<Word extends string> = {
  count(word: Word): void;
  /** All words that ever were counted, with how often. */
  read(): [word: Word, times: number][];
};

/** Begins at zero for each of `words`, so that the first rise is seen as one. */
export const createTally = <Word extends string>(words: readonly Word[]): Tally<Word> => {
  const counts = new Map<Word, number>(words.map((word) => [word, 0]));
  return {
    count: (word) => void counts.set(word, (counts.get(word) ?? 0) + 1),
    read: () => [...counts],
  };
};
