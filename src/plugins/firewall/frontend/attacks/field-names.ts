/** The names in a text in which they are separated by commas or white space; each once. */
export const readFieldNames = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((name) => name !== "")),
];
