import { type ActivityFact, type ActivitySource, pluginNameOf } from "#api/core/activity.ts";
import { networkOf } from "#api/core/network-of.ts";
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
type Group = { endsAtMs: number; repeats: number; last: ActivityFact; sizes: readonly string[] };
type Ready = { fact: ActivityFact; occurrences: number };

const windowMs = 60_000;
// Of one kind of failure a minute: an attack from thousands of addresses becomes so many rows and one with the rest, and
// one place's so many that the rows of others are not crowded out by them.
const mostGroupsOfACrowd = 60;
const mostGroupsOfAPlace = 10;
const mostGroups = 5_000;
const mostReady = 20_000;

/**
 * A buffer that repeats and floods cannot fill. Equal are facts of the same kind, action, person and address. When it
 * is full nevertheless (the database is away), it counts what it loses, and says so in the log.
 */
export const createNoteBuffer = (): NoteBuffer => {
  const groups = new Map<string, Group>();
  // How many groups a kind of failure has, and how many of them are of one place.
  const sizes = new Map<string, number>();
  const ready: Ready[] = [];
  let returned: ActivityDraft[] = [];
  let lost = 0;

  const push = (fact: ActivityFact, occurrences: number): void => {
    if (ready.length >= mostReady) lost += occurrences;
    else ready.push({ fact, occurrences });
  };

  const resize = (names: readonly string[], by: 1 | -1): void => {
    for (const name of names) {
      const size = (sizes.get(name) ?? 0) + by;
      if (size > 0) sizes.set(name, size);
      else sizes.delete(name);
    }
  };

  const close = (key: string, group: Group): void => {
    groups.delete(key);
    resize(group.sizes, -1);
    if (group.repeats > 0) push(group.last, group.repeats);
  };

  const open = (key: string, group: Group): void => {
    groups.set(key, group);
    resize(group.sizes, 1);
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

  /** Counts the fact with all others of its place or kind, none of which has a row of its own. */
  const join = (key: string, fact: ActivityFact): void => {
    if (isRepeat(key, fact)) return;
    open(key, { endsAtMs: fact.at.getTime() + windowMs, repeats: 1, last: fact, sizes: [] });
  };

  const add = (fact: ActivityFact): void => {
    const crowd = crowdOf(fact);
    const key = `${crowd}\n${personOf(fact)}\n${fact.source.ip}`;
    if (isRepeat(key, fact)) return;
    const isPlain = !isTrouble(fact);
    const place = `${crowd}\n@${networkOf(fact.source.ip ?? "")}`;
    const group = { endsAtMs: fact.at.getTime() + windowMs, repeats: 0, last: fact };
    if (!isPlain && (sizes.get(place) ?? 0) >= mostGroupsOfAPlace) {
      join(place, fromOnePlace(fact));
      return;
    }
    if (!isPlain && (sizes.get(crowd) ?? 0) >= mostGroupsOfACrowd) {
      join(crowd, fromManyPlaces(fact));
      return;
    }
    if (!isPlain || groups.size < mostGroups) open(key, { ...group, sizes: isPlain ? [] : [crowd, place] });
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

const fromOnePlace = ({ entry, source, at }: ActivityFact): ActivityFact => ({
  entry: { ...anybody(entry), description: "The same about more people, from this address" },
  source: { ...nobody(source), ip: source.ip },
  at,
});

const fromManyPlaces = ({ entry, source, at }: ActivityFact): ActivityFact => ({
  entry: { ...anybody(entry), description: "The same from many more places or people" },
  source: nobody(source),
  at,
});

const anybody = ({ userEmail: _, ...entry }: ActivityFact["entry"]): ActivityFact["entry"] => entry;

const nobody = ({ actor }: ActivitySource): ActivitySource => ({
  actor: { kind: actor.kind },
  requestId: null,
  ip: null,
  userAgent: null,
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
