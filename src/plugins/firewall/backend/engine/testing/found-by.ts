import type { Paranoia, Pattern, Place } from "../engine-types.ts";
import { makeSubject } from "../make-subject.ts";

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
