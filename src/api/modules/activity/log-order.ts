import type { ActivityDraft } from "./draft.ts";

/**
 * One order for a batch: facts of the inbox stay in the order in which they came, and each note stands before the first
 * of them that happened later.
 */
export const inOrder = (inbox: ActivityDraft[], notes: ActivityDraft[]): ActivityDraft[] => {
  const ordered: ActivityDraft[] = [];
  let next = 0;
  for (const fact of inbox) {
    for (let note = notes[next]; note !== undefined && note.at < fact.at; note = notes[next]) {
      ordered.push(note);
      next += 1;
    }
    ordered.push(fact);
  }
  return [...ordered, ...notes.slice(next)];
};

const wrongClockMs = 5 * 60_000;

/**
 * The time that a row gets: when it happened, but never before the row in front of it and never after `nowMs`. Only where
 * that row's time lies minutes ahead, written under a wrong clock, times begin anew.
 */
export const recordedAtMs = (previousMs: number, happenedMs: number, nowMs: number): number => {
  const latest = Math.min(happenedMs, nowMs);
  return previousMs > nowMs + wrongClockMs ? latest : Math.max(previousMs, latest);
};
