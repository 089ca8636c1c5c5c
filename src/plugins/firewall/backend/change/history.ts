import type { Json, Kv } from "#plugins/sdk/types.ts";
import { type Rules, readRules } from "../rules/rules.ts";
import { switchesIn } from "../switches.ts";
import { texts } from "../texts.ts";
import { mostRules } from "../wire/rules.ts";
import type { State } from "./lock-out.ts";
import { Refused } from "./refused.ts";

/** One part of rules and switches before and after a change; `null` where it is not there. */
export type ChangedPart = { name: string; before: Json; after: Json };

type Change = {
  /** ISO 8601. */
  at: string;
  by: string;
  what: string;
  /** The change that it reverted; `null` if it is no revert. */
  reverts: number | null;
};

/** A change that was made. */
export type ListedChange = Change & {
  /** Increases with each change. */
  id: number;
  /** The first of its parts; of small changes all. */
  first: ChangedPart[];
  /** How many parts it has. */
  partCount: number;
  /** `false` where the rest of its parts is no longer kept. */
  isWhole: boolean;
};

/** What {@link createHistory} makes. */
export type History = ReturnType<typeof createHistory>;

const mostChanges = 100;
// Of JSON. A character has three bytes at most there, and a value 64 KB.
const pieceLength = 16_000;
// Apart from the first of each change: 4 MB, as a whole list of addresses may be deleted or imported in one change.
const mostPieces = 250;

const places = { heads: "history:", pieces: "history-part:", last: "history-last" } as const;

type Head = Change & { first: ChangedPart[]; partCount: number; more: number };

/**
 * The last changes of rules and switches, made on any server. Each change has a key with its first piece, and one for each
 * further piece, which is written before. Those of older changes are removed when a change is added: all beyond 100, and
 * further pieces beyond 250.
 */
export const createHistory = (kv: Pick<Kv, "get" | "set" | "delete" | "list" | "incr">) => {
  const keysOf = async (prefix: string, cursor?: string): Promise<string[]> => {
    const page = await kv.list(prefix, { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
    return page.cursor === null ? page.keys : [...page.keys, ...(await keysOf(prefix, page.cursor))];
  };

  /** Padded IDs, newest first. */
  const heads = async (): Promise<string[]> =>
    (await keysOf(places.heads)).map((key) => key.slice(places.heads.length)).reverse();

  /** The keys of further pieces by padded IDs. */
  const furtherPieces = async (): Promise<Partial<Record<string, string[]>>> =>
    Object.groupBy(
      await keysOf(places.pieces),
      (key) => key.slice(places.pieces.length).split(":", 1)[0] ?? "",
    );

  const read = async (id: string, pieces: readonly string[] | undefined): Promise<ListedChange[]> => {
    const head = headIn(await kv.get(places.heads + id));
    if (head === null) return [];
    const { more, ...change } = head;
    return [{ ...change, id: Number(id), isWhole: more === (pieces?.length ?? 0) }];
  };

  const removeOld = async (): Promise<void> => {
    const known = await heads();
    const pieces = await furtherPieces();
    const kept = known.slice(0, mostChanges);
    for (const id of known.slice(mostChanges)) await kv.delete(places.heads + id);
    let count = 0;
    for (const id of Object.keys(pieces).sort().reverse()) {
      const keys = pieces[id] ?? [];
      // What another server writes at this moment has no head yet.
      const isKnown = kept.includes(id) || id > (kept.at(-1) ?? "");
      const hasPlace = id === kept[0] || count + keys.length <= mostPieces;
      if (isKnown && hasPlace) count += keys.length;
      else for (const key of keys) await kv.delete(key);
    }
  };

  return {
    /** Newest first, 100 at most. Throws what the store throws. */
    list: async (limit: number = mostChanges): Promise<ListedChange[]> => {
      const ids = (await heads()).slice(0, Math.min(limit, mostChanges));
      const pieces = await furtherPieces();
      const found: ListedChange[] = [];
      for (const id of ids) found.push(...(await read(id, pieces[id])));
      return found;
    },
    /** `null` where there is none with this ID, or no longer. Throws what the store throws. */
    find: async (id: string): Promise<ListedChange | null> => {
      if (!/^[1-9]\d{0,8}$/.test(id)) return null;
      const padded = paddedId(Number(id));
      const [found] = await read(padded, await keysOf(`${places.pieces}${padded}:`));
      return found ?? null;
    },
    /** All of its parts, in pieces that are read one after the other; `null` for one that is no longer kept. */
    pieces: async function* ({ id, first, isWhole }: ListedChange) {
      if (!isWhole) yield null;
      yield first;
      for (const key of await keysOf(`${places.pieces}${paddedId(id)}:`)) yield partsIn(await kv.get(key));
    },
    /** Throws what the store throws. */
    add: async ({ parts, ...change }: Change & { parts: readonly ChangedPart[] }) => {
      const [first = [], ...more] = inPieces(parts);
      const id = paddedId(await kv.incr(places.last));
      for (const [index, piece] of more.entries())
        await kv.set(`${places.pieces}${id}:${String(index).padStart(4, "0")}`, piece);
      const head = { ...change, first, partCount: parts.length, more: more.length } satisfies Head;
      await kv.set(places.heads + id, head);
      // What stays too long is removed with the next change.
      await removeOld().catch(() => {});
    },
  };
};

/** Keys are listed in the order of their texts. */
const paddedId = (id: number): string => String(id).padStart(10, "0");

const inPieces = (parts: readonly ChangedPart[]): ChangedPart[][] => {
  const pieces: ChangedPart[][] = [];
  let left = 0;
  for (const part of parts) {
    const { length } = JSON.stringify(part);
    const last = pieces.at(-1);
    if (last === undefined || length > left) {
      pieces.push([part]);
      left = pieceLength - length;
    } else {
      last.push(part);
      left -= length;
    }
  }
  return pieces;
};

/** Written by this plugin alone, each value at once. */
const headIn = (value: Json | undefined): Head | null => (value === undefined ? null : (value as Head));
const partsIn = (value: Json | undefined): ChangedPart[] | null =>
  Array.isArray(value) ? (value as ChangedPart[]) : null;

/** What a change did to rules and switches; empty for nothing. */
export const changedParts = (before: State, after: State): ChangedPart[] => {
  const [old, next] = [partsOf(before), partsOf(after)];
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((name) => ({ name, before: old.get(name) ?? null, after: next.get(name) ?? null }))
    .filter((part) => !Bun.deepEquals(part.before, part.after));
};

/** Tests whether what a change did is as it left it. */
export const asLeftTest = (state: State): ((parts: readonly ChangedPart[]) => boolean) => {
  const now = partsOf(state);
  return (parts) => parts.every(({ name, after }) => Bun.deepEquals(now.get(name) ?? null, after));
};

/**
 * Rules and switches with what a change did undone. Throws {@link Refused} where something of it was changed again, or there
 * is no place for what it removed.
 */
export const undone = (state: State, parts: readonly ChangedPart[]): State => {
  if (!asLeftTest(state)(parts)) throw new Refused(409, "CONFLICT", texts.changedSince);
  return withBefore(state, parts);
};

/**
 * Rules and switches with all that a change did as it was before it, whatever it is now. Throws {@link Refused} where there is
 * no place for it.
 */
export const withBefore = (state: State, parts: readonly ChangedPart[]): State => {
  const next = partsOf(state);
  for (const { name, before } of parts)
    if (before === null) next.delete(name);
    else next.set(name, before);
  const listed = (kind: string): Json[] =>
    [...next].flatMap(([name, value]) => (name.startsWith(`${kind} `) ? [value] : []));
  const rules = readRules({
    addresses: listed("address"),
    countries: next.get("countries"),
    rates: listed("rate"),
    switchedOff: listed("pattern"),
    exemptions: listed("exemption"),
  });
  checkPlace(rules);
  const switches = switchesIn(
    Object.fromEntries(Object.keys(state.switches).map((name) => [name, next.get(`switch ${name}`) ?? null])),
  );
  if (switches.banMostMinutes < switches.banMinutes) throw new Refused(409, "CONFLICT", texts.banMost);
  return { rules, switches };
};

const checkPlace = ({ addresses, rates, exemptions }: Rules): void => {
  const ranges = new Set<string>();
  for (const { range, kind } of addresses) {
    if (ranges.has(range)) throw new Refused(409, "CONFLICT", texts.rangeKnown(kind));
    ranges.add(range);
  }
  for (const [list, most] of [
    [addresses, mostRules.addresses],
    [rates, mostRules.rates],
    [exemptions, mostRules.exemptions],
  ] as const)
    if (list.length > most) throw new Refused(409, "LIMIT_EXCEEDED", texts.tooManyAddresses(most));
};

/** All that can be changed by itself, each part under its name. */
const partsOf = ({ rules, switches }: State): Map<string, Json> =>
  new Map<string, Json>([
    ...Object.entries(switches).map(([name, value]): [string, Json] => [`switch ${name}`, value]),
    ["countries", rules.countries],
    ...rules.addresses.map((entry): [string, Json] => [`address ${entry.id}`, entry]),
    ...rules.rates.map((rule): [string, Json] => [`rate ${rule.id}`, rule]),
    ...rules.switchedOff.map((id): [string, Json] => [`pattern ${id}`, id]),
    ...rules.exemptions.map((exemption): [string, Json] => [`exemption ${exemption.id}`, exemption]),
  ]);
