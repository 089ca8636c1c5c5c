/** What browsers read to search: everything as short as it can be said. */
export type PackedIndex = {
  /** Address and title of each page. */
  pages: [path: string, title: string][];
  /** Every section: the number of its page, its anchor and its heading, both empty for what stands before the first. */
  sections: [page: number, anchor: string, heading: string][];
  /** All words of the texts, sorted, with blanks between. */
  words: string;
  /** For each word the numbers of its sections, each less the one before, to base 36; words are apart by commas. */
  places: string;
};

/** The index as it is searched. */
export type SearchIndex = Pick<PackedIndex, "pages" | "sections"> & { words: string[]; places: number[][] };

/** Makes the packed form; `texts` are the words of each section. */
export const packIndex = (
  { pages, sections }: Pick<PackedIndex, "pages" | "sections">,
  texts: readonly (readonly string[])[],
): PackedIndex => {
  const places = new Map<string, number[]>();
  for (const [section, words] of texts.entries()) {
    for (const word of words) {
      const known = places.get(word);
      if (known === undefined) places.set(word, [section]);
      else known.push(section);
    }
  }
  const sorted = [...places].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    pages,
    sections,
    words: sorted.map(([word]) => word).join(" "),
    places: sorted.map(([, list]) => packList(list)).join(),
  };
};

/** Undoes {@link packIndex}. */
export const unpackIndex = ({ pages, sections, words, places }: PackedIndex): SearchIndex => ({
  pages,
  sections,
  words: words.split(" "),
  places: places.split(",").map(unpackList),
});

const packList = (list: readonly number[]): string =>
  list.map((section, index) => (section - (list[index - 1] ?? 0)).toString(36)).join(" ");

const unpackList = (packed: string): number[] => {
  let last = 0;
  return packed.split(" ").map((step) => {
    last += Number.parseInt(step, 36);
    return last;
  });
};
