/** Codings of dynamic answers, the one that costs least for its bytes first. */
export const answerCodings = ["zstd", "br", "gzip"] as const;
export type AnswerCoding = (typeof answerCodings)[number];

/**
 * The coding that a reader weighs highest, the first of ours among equals; `null` where none of them is wanted. Source:
 * RFC 9110 §12.5.3.
 */
export const chooseCoding = (acceptEncoding: string | null): AnswerCoding | null => {
  if (acceptEncoding === null || acceptEncoding.length > 500) return null;
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const q = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    weights.set(name, Number.isNaN(q) ? 0 : q);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const best = Math.max(...answerCodings.map(weightOf));
  if (best <= 0 || (weights.get("identity") ?? 0) > best) return null;
  return answerCodings.find((coding) => weightOf(coding) === best) ?? null;
};
