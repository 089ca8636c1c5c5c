import type { Kv } from "#plugins/sdk/types.ts";
import type { Beacon } from "../wire.ts";
import {
  type Aggregate,
  addBeacon,
  emptyAggregate,
  fitAggregate,
  isEmptyAggregate,
  mergeAggregate,
} from "./histogram.ts";
import { dayMs, dayOf, hourMs, hourOf, startOf } from "./page-template.ts";

/** What was measured in an hour or a day. `at`: when that began. */
export type Slot = { at: number; spanMs: number; aggregate: Aggregate };

/** Keeps what visitors' browsers measured: by hour for ten days, by day for ninety. */
export type VitalsStore = {
  /** Counts at once; stored with the next flush. */
  add(beacon: Beacon): void;
  /** Adds what was counted since to what all servers have stored: one write. What cannot be stored stays counted. */
  flush(): Promise<void>;
  /** Makes days of the hours of those that are over; on one of the servers. */
  rollUp(): Promise<void>;
  /** What is stored between two instants, oldest first: days where they lie in between whole, hours otherwise. */
  read(from: number, to: number): Promise<Slot[]>;
  /** When the first of what is stored was measured, to the hour or day; `null` where nothing is. */
  firstAt(): Promise<number | null>;
};

const keptHoursMs = 10 * dayMs;
const keptDaysMs = 90 * dayMs;
// A value has at most 64 KB.
const mostBytes = 60_000;
const mostTries = 8;
const mostRemembered = 350;
// Other servers write what they counted until then, and clocks differ.
const settledMs = 120_000;

type StoreOptions = { kv: Kv; now: () => number };

/** Begins with nothing counted. */
export const createVitalsStore = ({ kv, now }: StoreOptions): VitalsStore => {
  let counted = emptyAggregate();
  /** Spans that are over, and so never change. */
  const remembered = new Map<string, Aggregate>();

  const addToStored = async (key: string, more: Aggregate): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const entry = await kv.entry(key);
      const merged = fitAggregate(
        mergeAggregate(entry === undefined ? emptyAggregate() : asAggregate(entry.value), more),
        mostBytes,
      );
      try {
        await kv.set(key, merged, { ttlMs: keptHoursMs, ifVersion: entry?.version ?? 0 });
        return;
      } catch (error) {
        const isOvertaken = error instanceof Error && error.name === "CONFLICT";
        if (!isOvertaken || tries === mostTries) throw error;
      }
    }
  };

  const load = async (key: string): Promise<Aggregate> => {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const value = await kv.get(key);
    const aggregate = value === undefined ? emptyAggregate() : asAggregate(value);
    const name = key.slice(2);
    const isOver = key.startsWith("d/") || startOf(name) + hourMs + settledMs < now();
    if (isOver && value !== undefined) {
      const [oldest] = remembered.keys();
      if (remembered.size >= mostRemembered && oldest !== undefined) remembered.delete(oldest);
      remembered.set(key, aggregate);
    }
    return aggregate;
  };

  const namesBelow = async (prefix: "d/" | "h/"): Promise<Set<string>> => {
    const { keys } = await kv.list(prefix, { limit: 1_000 });
    return new Set(keys.map((key) => key.slice(prefix.length)));
  };

  const hoursOf = (day: string): string[] =>
    Array.from({ length: 24 }, (_, hour) => hourOf(startOf(day) + hour * hourMs));

  return {
    add: (beacon) => addBeacon(counted, beacon),
    flush: async () => {
      if (isEmptyAggregate(counted)) return;
      const more = counted;
      counted = emptyAggregate();
      try {
        await addToStored(`h/${hourOf(now())}`, more);
      } catch (error) {
        counted = fitAggregate(mergeAggregate(more, counted), mostBytes);
        throw error;
      }
    },
    rollUp: async () => {
      const [hours, days] = await Promise.all([namesBelow("h/"), namesBelow("d/")]);
      const over = new Set([...hours].map((hour) => hour.slice(0, 10)));
      for (const day of over) {
        if (days.has(day) || startOf(day) + dayMs + hourMs > now()) continue;
        const aggregate = emptyAggregate();
        for (const hour of hoursOf(day).filter((name) => hours.has(name)))
          mergeAggregate(aggregate, await load(`h/${hour}`));
        const ttlMs = startOf(day) + keptDaysMs - now();
        await kv.set(`d/${day}`, fitAggregate(aggregate, mostBytes), { ttlMs, ifVersion: 0 });
      }
    },
    read: async (from, to) => {
      const [hours, days] = await Promise.all([namesBelow("h/"), namesBelow("d/")]);
      const slots: Slot[] = [];
      for (let start = startOf(dayOf(from)); start < to; start += dayMs) {
        const day = dayOf(start);
        if (days.has(day) && start >= from && start + dayMs <= to) {
          slots.push({ at: start, spanMs: dayMs, aggregate: await load(`d/${day}`) });
          continue;
        }
        for (const hour of hoursOf(day)) {
          const at = startOf(hour);
          if (!hours.has(hour) || at < from || at >= to) continue;
          slots.push({ at, spanMs: hourMs, aggregate: await load(`h/${hour}`) });
        }
      }
      return slots;
    },
    firstAt: async () => {
      const names = (await Promise.all([namesBelow("d/"), namesBelow("h/")])).flatMap((known) => [...known]);
      return names.length === 0 ? null : Math.min(...names.map(startOf));
    },
  };
};

/** What is stored under these keys was written here. */
const asAggregate = (value: unknown): Aggregate => value as Aggregate;
