/** The words of a list that blanks and line breaks separate. */
export const words = (list: string): string[] => list.trim().split(/\s+/);

/** The same as a set, to look words up in. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(words(list));
