import { type Coding, codings } from "./ui-manifest.ts";

const rememberedHeaders = 200;

/**
 * The coding to answer in, from an `Accept-Encoding` header: of those the reader weighs highest, the first of `ready`
 * (best first, `identity` always among them). Without a header, or when nothing suits, `identity`. Source: RFC 9110 §12.5.3.
 */
export const chooseCoding = (header: string | null, ready: readonly Coding[]): Coding => {
  if (header === null) return "identity";
  const weightOf = weightsOf(header);
  const weighed = ready.map((coding) => ({ coding, weight: weightOf(coding) }));
  const best = Math.max(...weighed.map(({ weight }) => weight));
  if (best === 0) return "identity";
  return weighed.find(({ weight }) => weight === best)?.coding ?? "identity";
};

/** A chooser that remembers its answers: browsers send a handful of different headers. */
export const rememberedChoice = (ready: readonly Coding[]) => {
  const known = new Map<string | null, Coding>();
  return (header: string | null): Coding => {
    const found = known.get(header);
    if (found !== undefined) return found;
    const choice = chooseCoding(header, ready);
    if (known.size < rememberedHeaders) known.set(header, choice);
    return choice;
  };
};

/** The available codings, best first. */
export const readyCodings = (files: Partial<Record<Coding, unknown>>): Coding[] =>
  codings.filter((coding) => files[coding] !== undefined);

const weightsOf = (header: string): ((coding: Coding) => number) => {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const weight = q === undefined ? 1 : Number(q);
    weights.set(
      name === "x-gzip" ? "gzip" : name,
      Number.isNaN(weight) ? 0 : Math.min(Math.max(weight, 0), 1),
    );
  }
  // Unless it is named, identity is acceptable, but any coding that the reader asked for is preferred to it.
  const unnamedIdentity = weights.get("*") === 0 ? 0 : 0.001;
  return (coding) =>
    weights.get(coding) ?? (coding === "identity" ? unnamedIdentity : (weights.get("*") ?? 0));
};
