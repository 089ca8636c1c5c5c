import type { Json, Kv } from "#plugins/sdk/types.ts";
import { type Rules, readRules } from "../rules/rules.ts";
import { createPartedDocument, readUndamaged } from "../stored.ts";
import { switchesIn } from "../switches.ts";
import { texts } from "../texts.ts";
import { mostRules } from "../wire/rules.ts";
import type { State } from "./lock-out.ts";
import { Refused } from "./refused.ts";

/** One part of rules and switches before and after a change; `null` where it is not there. */
export type ChangedPart = { name: string; before: Json; after: Json };

/** A change that was made, with what it takes to revert it. */
type StoredChange = {
  /** Increases with each change. */
  id: number;
  /** ISO 8601. */
  at: string;
  by: string;
  what: string;
  /** The change that it reverted; `null` if it is no revert. */
  reverts: number | null;
  parts: ChangedPart[];
};

/** The last changes of rules and switches, made on any server. */
export type History = {
  /** Newest first, 100 at most. Throws what the store throws. */
  list(): Promise<StoredChange[]>;
  /** Throws what the store throws. */
  add(change: Omit<StoredChange, "id">): Promise<void>;
};

const mostChanges = 100;
// Of JSON: a whole list of addresses may be deleted or imported in one change.
const mostLength = 4_000_000;
const tries = 5;

/** Kept in one document, the oldest of which goes where it is too many or too long. */
export const createHistory = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">): History => {
  const document = createPartedDocument(kv, "history");

  const list = async (): Promise<StoredChange[]> => changesIn((await readUndamaged(document))?.value);

  const add = async (change: Omit<StoredChange, "id">, turn = 1): Promise<void> => {
    const version = await document.version();
    const known = await list();
    const next = kept([{ id: (known[0]?.id ?? 0) + 1, ...change }, ...known]);
    try {
      await document.write(next, version);
    } catch (error) {
      const isLate = error instanceof Error && error.name === "CONFLICT";
      if (!isLate || turn === tries) throw error;
      await add(change, turn + 1);
    }
  };

  return { list, add: (change) => add(change) };
};

const kept = (changes: readonly StoredChange[]): StoredChange[] => {
  let length = 0;
  return changes.slice(0, mostChanges).filter((change, index) => {
    length += JSON.stringify(change).length;
    return index === 0 || length <= mostLength;
  });
};

/** Written by this plugin alone, each change at once. */
const changesIn = (value: unknown): StoredChange[] => (Array.isArray(value) ? value : []);

/** What a change did to rules and switches; empty for nothing. */
export const changedParts = (before: State, after: State): ChangedPart[] => {
  const [old, next] = [partsOf(before), partsOf(after)];
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((name) => ({ name, before: old.get(name) ?? null, after: next.get(name) ?? null }))
    .filter((part) => !Bun.deepEquals(part.before, part.after));
};

/** Whether all that a change did is as it left it. */
export const isAsLeft = (state: State, parts: readonly ChangedPart[]): boolean => {
  const now = partsOf(state);
  return parts.every(({ name, after }) => Bun.deepEquals(now.get(name) ?? null, after));
};

/**
 * Rules and switches with what a change did undone. Throws {@link Refused} where something of it was changed again, or there
 * is no place for what it removed.
 */
export const undone = (state: State, parts: readonly ChangedPart[]): State => {
  if (!isAsLeft(state, parts)) throw new Refused(409, "CONFLICT", texts.changedSince);
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
