import { createEngine } from "../engine.ts";
import type { EngineOptions, InspectedRequest, Paranoia, Pattern, Place } from "../engine-types.ts";
import { makeSubject } from "../subject.ts";

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

/** Ids of the patterns that find something in a text, at a paranoia of 1 unless another one is asked for. */
export const foundBy = (
  patterns: readonly Pattern[],
  text: string,
  { place = "query", name = "q", paranoia = 1 }: { place?: Place; name?: string; paranoia?: Paranoia } = {},
): number[] => {
  const subject = makeSubject(place, name, text);
  return patterns
    .filter((pattern) => pattern.paranoia <= paranoia && (pattern.places ?? [place]).includes(place))
    .filter(({ needs, view }) => needs?.some((need) => subject.view(view).includes(need)) ?? true)
    .filter(({ find, view }) => find(subject.view(view), subject) !== null)
    .map(({ id }) => id);
};
