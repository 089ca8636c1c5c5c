/** What browsers read to search: everything as short as it can be said. */
export type PackedIndex = {
  /** Address and title of each page. */
  pages: [path: string, title: string][];
  /** Every section: the number of its page, its heading, and its anchor if it doesn't follow from that. */
  sections: [page: number, heading: string, anchor?: string][];
  /** All words of the texts, sorted, with blanks between. */
  words: string;
  /** For each word the numbers of its sections, each less the one before, to base 36; words are apart by commas. */
  places: string;
};

/** The index as it is searched. */
export type SearchIndex = Pick<PackedIndex, "pages"> & {
  /** Anchor and heading are empty for what stands before the first heading. */
  sections: [page: number, anchor: string, heading: string][];
  words: string[];
  places: number[][];
};

/** The anchor of a heading, as where the Markdown is kept makes them, so that a link works in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** Makes the packed form; `texts` are the words of each section. */
export const packIndex = (
  { pages, sections }: Pick<SearchIndex, "pages" | "sections">,
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
    sections: sections.map(([page, anchor, heading]) =>
      anchor === anchorOf(heading) ? [page, heading] : [page, heading, anchor],
    ),
    words: sorted.map(([word]) => word).join(" "),
    places: sorted.map(([, list]) => packList(list)).join(),
  };
};

/** Undoes {@link packIndex}. */
export const unpackIndex = ({ pages, sections, words, places }: PackedIndex): SearchIndex => ({
  pages,
  sections: sections.map(([page, heading, anchor = anchorOf(heading)]) => [page, anchor, heading]),
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

// They stand everywhere, so that they tell nothing apart.
const common = new Set(
  "a all an and are as at be by can for from has have if in into is it its no not of on one only or so than that the then this to was what when where which who with".split(
    " ",
  ),
);

/**
 * The words of a text as they are searched for, each once: lower case, of two characters at least, numbers of three. Names such as
 * `RATE_LIMITED` count whole and in their parts.
 */
export const wordsOf = (text: string): string[] => {
  const whole = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  const parts = whole.flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));
  return [...new Set(parts)].filter((word) => !/^(?:.|\d\d)$/u.test(word) && !common.has(word));
};

/** A place in the documentation; `heading` is empty where it is the page itself. */
export type Found = { href: string; title: string; heading: string };

// A word in a title outweighs any number of headings, one in a heading any number of texts: a query has few words.
const weights = { title: 1000, heading: 60, text: 4, titleAbove: 2 };

/**
 * The sections that hold every word of a query, as a word or as a word's beginning: `count` of them, the best `limit` in
 * `found`. A title counts more than a heading, that more than a text, and a whole word more than a beginning. What stands
 * in a page's title is granted to its sections, so that two words may be found in a page and its heading.
 */
export const findSections = (
  index: SearchIndex,
  query: string,
  limit: number,
): { count: number; found: Found[] } => {
  const words = wordsOf(query);
  if (words.length === 0) return { count: 0, found: [] };
  const scores = words.map((word) => scoresOf(index, word));
  const ranked = index.sections
    .flatMap((_, section) => {
      const each = scores.map((score) => score[section] ?? 0);
      return each.includes(0) ? [] : [{ section, score: each.reduce((a, b) => a + b, 0) }];
    })
    .sort((a, b) => b.score - a.score || a.section - b.section);
  return { count: ranked.length, found: ranked.slice(0, limit).map(({ section }) => place(index, section)) };
};

/** What one word is worth in each section. */
const scoresOf = (index: SearchIndex, word: string): number[] => {
  const titles = index.pages.map(([, title]) => matchOf(title, word));
  const scores = index.sections.map(([page, , heading]) => {
    const title = titles[page] ?? 0;
    return heading === ""
      ? title * weights.title
      : title * weights.titleAbove + matchOf(heading, word) * weights.heading;
  });
  for (let at = firstFrom(index.words, word); index.words[at]?.startsWith(word); at++) {
    const worth = index.words[at] === word ? weights.text : weights.text / 2;
    for (const section of index.places[at] ?? []) scores[section] = Math.max(scores[section] ?? 0, worth);
  }
  return scores;
};

/** 1 for the word itself, less for the beginning of one, 0 when there is neither. */
const matchOf = (text: string, word: string): number => {
  const words = wordsOf(text);
  if (words.includes(word)) return 1;
  return words.some((other) => other.startsWith(word)) ? 0.6 : 0;
};

/** Where in a sorted list the first word is that does not come before `word`. */
const firstFrom = (words: readonly string[], word: string): number => {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
};

const place = ({ pages, sections }: SearchIndex, section: number): Found => {
  const [page, anchor, heading] = sections[section] ?? [0, "", ""];
  const [path, title] = pages[page] ?? ["", ""];
  return { href: anchor === "" ? path : `${path}#${anchor}`, title, heading };
};
