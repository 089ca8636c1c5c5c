import { type ActivityFact, pluginNameOf } from "#api/core/activity.ts";
import { type ActivityDraft, draftOf } from "./draft.ts";

/** Facts that wait for the next batch. */
export type NoteBuffer = {
  /** Takes a fact in. Costs a few microseconds whatever comes; the text is looked at when it is taken out. */
  add(fact: ActivityFact): void;
  /** The next drafts, oldest first: first occurrences at once, repeats when their minute is over by `now`. */
  take(most: number, now: Date): ActivityDraft[];
  /** Puts drafts that could not be written back in front. */
  putBack(drafts: ActivityDraft[]): void;
  /** Ends every minute that is still running: the program is about to end. */
  closeAll(): void;
  /** Whether a first occurrence waits. */
  readonly hasReady: boolean;
};

/** The same again within a minute; `repeats` does not count the first, which went out at once. */
type Group = { endsAtMs: number; repeats: number; last: ActivityFact; crowd: string };
type Ready = { fact: ActivityFact; occurrences: number };

const windowMs = 60_000;
// Of one kind of failure; an attack from thousands of addresses becomes this many rows a minute and one with the rest.
const mostGroupsOfACrowd = 60;
const mostGroups = 5_000;
const mostReady = 20_000;

/**
 * A buffer that repeats and floods cannot fill. Equal are facts of the same kind, action, person and address. When it
 * is full nevertheless (the database is away), it counts what it loses, and says so in the log.
 */
export const createNoteBuffer = (): NoteBuffer => {
  const groups = new Map<string, Group>();
  const crowds = new Map<string, number>();
  const ready: Ready[] = [];
  let returned: ActivityDraft[] = [];
  let lost = 0;

  const push = (fact: ActivityFact, occurrences: number): void => {
    if (ready.length >= mostReady) lost += occurrences;
    else ready.push({ fact, occurrences });
  };

  const close = (key: string, group: Group): void => {
    groups.delete(key);
    const left = (crowds.get(group.crowd) ?? 1) - 1;
    if (left > 0) crowds.set(group.crowd, left);
    else crowds.delete(group.crowd);
    if (group.repeats > 0) push(group.last, group.repeats);
  };

  const open = (key: string, group: Group): void => {
    groups.set(key, group);
    crowds.set(group.crowd, (crowds.get(group.crowd) ?? 0) + 1);
  };

  /** Counts the fact with others like it; `false` when its minute has not begun. */
  const isRepeat = (key: string, fact: ActivityFact): boolean => {
    const group = groups.get(key);
    if (group === undefined) return false;
    if (fact.at.getTime() >= group.endsAtMs) {
      close(key, group);
      return false;
    }
    group.repeats += 1;
    group.last = fact;
    return true;
  };

  const add = (fact: ActivityFact): void => {
    const endsAtMs = fact.at.getTime() + windowMs;
    const crowd = crowdOf(fact);
    const key = `${crowd}\n${personOf(fact)}\n${fact.source.ip}`;
    if (isRepeat(key, fact)) return;
    if (isTrouble(fact) && (crowds.get(crowd) ?? 0) >= mostGroupsOfACrowd) {
      const anybody = fromManyPlaces(fact);
      if (!isRepeat(crowd, anybody)) open(crowd, { endsAtMs, repeats: 1, last: anybody, crowd });
      return;
    }
    if (groups.size < mostGroups) open(key, { endsAtMs, repeats: 0, last: fact, crowd });
    push(fact, 1);
  };

  const closeEnded = (nowMs: number): void => {
    // In the order in which they began, so the first that still runs ends the search.
    for (const [key, group] of groups) {
      if (group.endsAtMs > nowMs) return;
      close(key, group);
    }
  };

  return {
    add,
    take: (most, now) => {
      closeEnded(now.getTime());
      const drafts = returned.splice(0, most);
      for (const { fact, occurrences } of ready.splice(0, most - drafts.length))
        drafts.push(draftOf(fact, occurrences));
      if (lost > 0 && ready.length === 0) {
        drafts.push(draftOf(lossOf(lost, now)));
        lost = 0;
      }
      return drafts;
    },
    putBack: (drafts) => {
      returned = [...drafts, ...returned];
    },
    closeAll: () => {
      for (const [key, group] of groups) close(key, group);
    },
    get hasReady() {
      return ready.length > 0 || returned.length > 0 || lost > 0;
    },
  };
};

const crowdOf = ({ entry, source }: ActivityFact): string =>
  `${entry.type}\n${entry.status}\n${entry.severity}\n${pluginNameOf(entry)}\n${source.actor.kind}\n${entry.action}`;

const personOf = ({ entry, source }: ActivityFact): string =>
  "user" in source.actor ? source.actor.user.id : (entry.userEmail ?? "");

const isTrouble = ({ entry }: ActivityFact): boolean =>
  entry.status === "failure" || entry.status === "warning";

const fromManyPlaces = ({ entry: { userEmail: _, ...entry }, source, at }: ActivityFact): ActivityFact => ({
  entry: { ...entry, description: "The same from many more places or people" },
  source: { actor: { kind: source.actor.kind }, requestId: null, ip: null, userAgent: null },
  at,
});

const lossOf = (lost: number, at: Date): ActivityFact => ({
  entry: {
    type: "health_check_failed",
    action: "Lost activities",
    description: `${lost} activities could not be recorded: more came than could be written`,
    status: "failure",
    severity: "high",
  },
  source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
  at,
});
