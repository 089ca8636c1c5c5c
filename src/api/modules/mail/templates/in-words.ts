/** Names in a row as a sentence has them: "Google and GitHub". */
export const inWords = (names: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(names);
