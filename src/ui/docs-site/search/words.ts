// They stand everywhere, so that they tell nothing apart.
const common = new Set(
  "a all an and are as at be by can for from has have if in into is it its no not of on one only or so than that the then this to was what when where which who with".split(
    " ",
  ),
);

/**
 * The words of a text as they are searched for, each once: lower case, of two characters at least. Names such as
 * `RATE_LIMITED` count whole and in their parts.
 */
export const wordsOf = (text: string): string[] => {
  const whole = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  const parts = whole.flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));
  return [...new Set(parts)].filter((word) => word.length > 1 && !common.has(word));
};
