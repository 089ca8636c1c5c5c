/** Whether a version comes behind another, both as a manifest may tell them: Semantic Versioning 2.0.0, section 11. */
export const isNewerVersion = (version: string, other: string): boolean => {
  const [one, two] = [partsOf(version), partsOf(other)];
  const byNumbers = compareLists(one.numbers, two.numbers);
  if (byNumbers !== 0) return byNumbers > 0;
  // What comes before a release has words behind a hyphen; the release has none.
  if (one.words.length === 0 || two.words.length === 0) return one.words.length < two.words.length;
  return compareLists(one.words, two.words) > 0;
};

const partsOf = (version: string) => {
  const [core = ""] = version.split("+");
  const hyphen = core.indexOf("-");
  return hyphen === -1
    ? { numbers: core.split("."), words: [] }
    : { numbers: core.slice(0, hyphen).split("."), words: core.slice(hyphen + 1).split(".") };
};

const compareLists = (one: readonly string[], two: readonly string[]): number => {
  for (const [at, word] of one.entries()) {
    const other = two[at];
    if (other === undefined) return 1;
    const order = compareWords(word, other);
    if (order !== 0) return order;
  }
  return one.length - two.length;
};

const isNumber = (word: string): boolean => /^\d+$/.test(word);

// Numbers come before words.
const compareWords = (one: string, two: string): number => {
  if (isNumber(one) && isNumber(two)) return Number(one) - Number(two);
  if (isNumber(one) !== isNumber(two)) return isNumber(one) ? -1 : 1;
  if (one === two) return 0;
  return one > two ? 1 : -1;
};
