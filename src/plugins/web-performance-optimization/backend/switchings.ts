import type { Kv } from "#plugins/sdk/types.ts";
import { dayMs, dayOf, hourMs, startOf } from "./vitals/page-template.ts";
import { figuresIn } from "./vitals/summary.ts";
import type { VitalsStore } from "./vitals/vitals-store.ts";
import { type Switching, type SwitchName, switchNames } from "./wire.ts";

/** A change of a switch. */
type Turned = { switch: SwitchName; isOn: boolean; at: number };

/** The history of the switches, with visitors' figures before and after each change. */
export type Switchings = {
  /** Records what changed; if several servers do so, each change is recorded once. */
  note(isOn: Record<SwitchName, boolean>): Promise<void>;
  /** Newest first. */
  list(): Promise<Switching[]>;
};

const key = "switchings";
const mostKept = 50;
const mostTries = 8;
const spanDays = 7;
const freshMs = 2 * dayMs;

type SwitchingsOptions = { kv: Kv; store: Pick<VitalsStore, "read">; now: () => number };

/** Reads and writes the history in the plugin's storage. */
export const createSwitchings = ({ kv, store, now }: SwitchingsOptions): Switchings => {
  const read = async (): Promise<{ turned: Turned[]; version: number }> => {
    const entry = await kv.entry(key);
    return { turned: entry === undefined ? [] : asTurned(entry.value), version: entry?.version ?? 0 };
  };

  const effectOf = async (one: Turned, turned: readonly Turned[]): Promise<Switching> => {
    const { before, after } = spansAround(one.at, now());
    const [earlier, later] = await Promise.all([store.read(...before), store.read(...after)]);
    return {
      switch: one.switch,
      isOn: one.isOn,
      at: new Date(one.at).toISOString(),
      before: figuresIn(earlier),
      after: figuresIn(later),
      others: othersIn(turned, one, [before[0], after[1]]),
    };
  };

  return {
    note: async (isOn) => {
      for (let tries = 1; ; tries += 1) {
        const { turned, version } = await read();
        const wasOn = (name: SwitchName) => turned.findLast((one) => one.switch === name)?.isOn ?? false;
        const fresh = switchNames
          .filter((name) => isOn[name] !== wasOn(name))
          .map((name) => ({ switch: name, isOn: isOn[name], at: now() }));
        if (fresh.length === 0) return;
        try {
          await kv.set(key, [...turned, ...fresh].slice(-mostKept), { ifVersion: version });
          return;
        } catch (error) {
          const isOvertaken = error instanceof Error && error.name === "CONFLICT";
          if (!isOvertaken || tries === mostTries) throw error;
        }
      }
    },
    list: async () => {
      const { turned } = await read();
      return Promise.all(turned.toReversed().map((one) => effectOf(one, turned)));
    },
  };
};

/**
 * Compares hours while the change is younger than two days, and days after that. The hour or day of the change itself counts for
 * neither side.
 */
const spansAround = (at: number, now: number): { before: [number, number]; after: [number, number] } => {
  const isFresh = now - at < freshMs;
  const unit = isFresh ? hourMs : dayMs;
  const start = isFresh ? Math.floor(at / hourMs) * hourMs : startOf(dayOf(at));
  const length = isFresh ? freshMs : spanDays * dayMs;
  return { before: [start - length, start], after: [start + unit, Math.min(start + unit + length, now)] };
};

/** How many other switches were changed between two instants, each counted once. */
const othersIn = (turned: readonly Turned[], one: Turned, [from, to]: [number, number]): number => {
  const isOther = (other: Turned) =>
    other.switch !== one.switch && other.at >= from && other.at <= Math.max(to, one.at);
  return new Set(turned.filter(isOther).map((other) => other.switch)).size;
};

/** Safe because only this file writes this key. */
const asTurned = (value: unknown): Turned[] => value as Turned[];

/** The switches' names in the activity log and on the page. */
export const switchTitles: Record<SwitchName, string> = {
  compression: "Compression of dynamic responses",
  cacheLifetimes: "Cache lifetimes",
  preloadHeaders: "Preload headers",
  prefetch: "Prefetching of next pages",
  responseCache: "Response cache",
};
