import { createEngine } from "../engine.ts";
import type { EngineOptions, InspectedRequest, Pattern } from "../engine-types.ts";

/** What a new installation has. */
export const usualOptions: EngineOptions = {
  paranoia: 1,
  threshold: 5,
  switchedOff: new Set(),
  exemptions: [],
};

/** A request without anything in it, but for what is given. */
export const requestWith = (parts: Partial<InspectedRequest>): InspectedRequest => ({
  method: "POST",
  path: "/",
  query: "",
  headers: [],
  body: null,
  ...parts,
});

/** A request that carries a text as the value of a parameter. */
export const requestOf = (text: string): InspectedRequest =>
  requestWith({ method: "GET", query: `q=${encodeURIComponent(text)}` });

/** Those of the texts in which none of the patterns finds enough for a block. */
export const passedBy = (patterns: readonly Pattern[], texts: readonly string[]): string[] => {
  const engine = createEngine(usualOptions, patterns);
  return texts.filter((text) => !engine.inspect(requestOf(text)).isAttack);
};
