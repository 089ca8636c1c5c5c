/** In which format a text is written, by its name's ending or how it begins; `null` where neither tells. */
export const formatOf = (text: string, name: string): "csv" | "json" | null => {
  if (/\.json$/i.test(name)) return "json";
  if (/\.csv$/i.test(name)) return "csv";
  const start = text.trimStart().charAt(0);
  if (start === "") return null;
  return start === "[" || start === "{" ? "json" : "csv";
};
