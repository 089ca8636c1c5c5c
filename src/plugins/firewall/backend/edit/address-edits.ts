import { invalid, Refused } from "../change/refused.ts";
import { type Range, readRange } from "../rules/range.ts";
import type { Rules, StoredAddress } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import { mostRules } from "../wire/rules.ts";
import type { AddressChange, AddressInput } from "../wire.ts";
import { readDuration, readText } from "./rule-edits.ts";

/** Who makes an entry, and when. */
export type Making = { author: string; nowMs: number };

/** An entry from what an admin sent. Throws {@link Refused} with each field at fault. */
export const newAddress = (input: AddressInput, { author, nowMs }: Making): StoredAddress => {
  const range = readRange(input.address);
  const note = readText(input.note ?? "", mostRules.noteLength);
  const expiry = readExpiry(input, nowMs);
  const errors: Record<string, string> = {
    ...(range === null ? { address: texts.notARange } : {}),
    ...("complaint" in note ? { note: note.complaint } : {}),
    ...("complaint" in expiry ? { [expiry.path]: expiry.complaint } : {}),
  };
  if (range === null || "complaint" in note || "complaint" in expiry || Object.keys(errors).length > 0)
    throw invalid(errors);
  return {
    id: crypto.randomUUID(),
    kind: input.kind,
    range: range.text,
    note: note.text,
    author,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: expiry.at,
  };
};

type Expiry = { at: string | null } | { path: string; complaint: string };

const readExpiry = (input: Pick<AddressInput, "for" | "expiresAt">, nowMs: number): Expiry => {
  const { expiresAt } = input;
  if (input.for !== undefined && expiresAt !== undefined && expiresAt !== null)
    return { path: "for", complaint: texts.eitherTime };
  if (input.for !== undefined) {
    const ms = readDuration(input.for);
    return ms === null
      ? { path: "for", complaint: texts.duration }
      : { at: new Date(nowMs + ms).toISOString() };
  }
  if (expiresAt === undefined || expiresAt === null) return { at: null };
  const at = Date.parse(expiresAt);
  if (Number.isNaN(at) || at <= nowMs) return { path: "expiresAt", complaint: texts.timePast };
  return { at: new Date(at).toISOString() };
};

/** Adds an entry; one of the same range that has expired makes room. Throws {@link Refused}. */
export const addAddress = (rules: Rules, entry: StoredAddress, nowMs: number): Rules => {
  const addresses = rules.addresses.filter((one) => one.range !== entry.range || isAlive(one, nowMs));
  const known = addresses.find(({ range }) => range === entry.range);
  if (known !== undefined) throw new Refused(409, "CONFLICT", texts.rangeKnown(known.kind));
  if (addresses.length >= mostRules.addresses)
    throw new Refused(409, "LIMIT_EXCEEDED", texts.tooManyAddresses(mostRules.addresses));
  return { ...rules, addresses: [...addresses, entry] };
};

const isAlive = ({ expiresAt }: StoredAddress, nowMs: number): boolean =>
  expiresAt === null || Date.parse(expiresAt) > nowMs;

/** Changes an entry. Throws {@link Refused} for one that is not there, and for fields at fault. */
export const changeAddress = (
  rules: Rules,
  { id, change, nowMs }: { id: string; change: AddressChange; nowMs: number },
): Rules => {
  const entry = rules.addresses.find((one) => one.id === id);
  if (entry === undefined) throw new Refused(404, "NOT_FOUND", texts.notFound);
  const next = newAddress(
    {
      kind: change.kind ?? entry.kind,
      address: entry.range,
      note: change.note ?? entry.note,
      ...(change.expiresAt === undefined ? {} : { expiresAt: change.expiresAt }),
    },
    { author: entry.author, nowMs },
  );
  const kept = {
    ...next,
    id,
    createdAt: entry.createdAt,
    expiresAt: change.expiresAt === undefined ? entry.expiresAt : next.expiresAt,
  };
  return { ...rules, addresses: rules.addresses.map((one) => (one.id === id ? kept : one)) };
};

/** Removes entries by their ids. Throws {@link Refused} where none of them is there. */
export const deleteAddresses = (rules: Rules, ids: ReadonlySet<string>): Rules => {
  const addresses = rules.addresses.filter(({ id }) => !ids.has(id));
  if (addresses.length === rules.addresses.length) throw new Refused(404, "NOT_FOUND", texts.notFound);
  return { ...rules, addresses };
};

/** Removes the entry of a range, however it is written. Throws {@link Refused}. */
export const removeRange = (rules: Rules, text: string): Rules => {
  const range: Range | null = readRange(text);
  if (range === null) throw invalid({ address: texts.notARange });
  const entry = rules.addresses.find((one) => one.range === range.text);
  if (entry === undefined) throw new Refused(404, "NOT_FOUND", texts.notFound);
  return deleteAddresses(rules, new Set([entry.id]));
};

/** Takes out what has expired: called with each change, so that the list does not grow for ever. */
export const withoutExpired = (rules: Rules, nowMs: number): Rules => {
  const addresses = rules.addresses.filter((entry) => isAlive(entry, nowMs - keptExpiredMs));
  return addresses.length === rules.addresses.length ? rules : { ...rules, addresses };
};

// Admins may want to see what ended, and give it more time.
const keptExpiredMs = 7 * 24 * 60 * 60 * 1_000;
