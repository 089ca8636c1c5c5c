import { invalid, Refused } from "../change/refused.ts";
import { categories } from "../engine/engine-types.ts";
import { mostSignInMs } from "../inspect/judge-rates.ts";
import { signInPaths } from "../inspect/way-in.ts";
import { createPathTest, isPathPattern } from "../rules/path-pattern.ts";
import { readRange } from "../rules/range.ts";
import {
  exemptionKey,
  type Rules,
  type StoredAddress,
  type StoredExemption,
  type StoredRate,
} from "../rules/rules.ts";
import { texts } from "../texts.ts";
import { mostRules, roles } from "../wire/rules.ts";
import type { AddressChange, AddressInput, CountryRules, ExemptionInput, RateInput } from "../wire.ts";

const methodShape = /^(?:\*|[A-Z]{1,20})$/;

const newRate: Omit<StoredRate, "id"> = {
  title: "",
  isOn: true,
  method: "*",
  path: "/*",
  roles: ["visitor", "user"],
  key: "ip",
  windowMs: 60_000,
  max: 60,
  action: "block",
};

/** A rate rule from what an admin sent over what it was before. Throws {@link Refused} with each field at fault. */
export const rateFrom = (
  { revision: _revision, ...input }: RateInput,
  before: StoredRate = { id: crypto.randomUUID(), ...newRate },
): StoredRate => {
  const rule = { ...before, ...input };
  const title = readText(rule.title, mostRules.titleLength);
  const path = readPath(rule.path);
  const method = rule.method.toUpperCase();
  const tests = path === null ? () => false : createPathTest(rule.path);
  const errors = {
    ...("complaint" in title ? { title: title.complaint } : {}),
    ...(path === null ? { path: texts.path } : {}),
    ...(methodShape.test(method) ? {} : { method: texts.method }),
    ...(rule.roles.length === 0 ? { roles: texts.noRoles } : {}),
    ...(rule.windowMs > mostSignInMs && signInPaths.some(tests) ? { windowMs: texts.signInWindow } : {}),
  };
  if ("complaint" in title || Object.keys(errors).length > 0) throw invalid(errors);
  return {
    ...rule,
    title: title.text === "" ? `${method} ${rule.path}` : title.text,
    method,
    roles: roles.filter((role) => rule.roles.includes(role)),
  };
};

const readPath = (path: string): string | null =>
  path.length <= mostRules.pathLength && isPathPattern(path) ? path : null;

/** Puts one in a list, or in the place of the one with its id. Throws {@link Refused} when the list is full. */
const putIn = <T extends { id: string }>(list: readonly T[], one: T, most: number): T[] => {
  if (list.some(({ id }) => id === one.id)) return list.map((other) => (other.id === one.id ? one : other));
  if (list.length >= most) throw new Refused(409, "LIMIT_EXCEEDED", texts.tooManyAddresses(most));
  return [...list, one];
};

/** Puts a rate rule in, or in the place of the one with its id. Throws {@link Refused}. */
export const putRate = (rules: Rules, rule: StoredRate): Rules => ({
  ...rules,
  rates: putIn(rules.rates, rule, mostRules.rates),
});

/** Takes something with an id out of a list. Throws {@link Refused} where it is not there. */
export const without = <T extends { id: string }>(list: readonly T[], id: string): T[] => {
  const kept = list.filter((one) => one.id !== id);
  if (kept.length === list.length) throw new Refused(404, "NOT_FOUND", texts.notFound);
  return kept;
};

/** What has an id in a list. Throws {@link Refused} where it is not there. */
export const withId = <T extends { id: string }>(list: readonly T[], id: string): T => {
  const found = list.find((one) => one.id === id);
  if (found === undefined) throw new Refused(404, "NOT_FOUND", texts.notFound);
  return found;
};

/** Country rules from what an admin sent over what they were. Throws {@link Refused} with each field at fault. */
export const countriesFrom = (input: Partial<CountryRules>, before: CountryRules): CountryRules => {
  const mode = input.mode ?? before.mode;
  const codes = [...new Set((input.codes ?? before.codes).map((code) => code.trim().toUpperCase()))].sort();
  const wrong = codes.findIndex((code) => !/^[A-Z]{2}$/.test(code));
  if (wrong >= 0) throw invalid({ [`codes.${wrong}`]: texts.notACountry });
  if (mode === "allow" && codes.length === 0) throw invalid({ codes: texts.noCountryListed });
  if (codes.length > mostRules.countries) throw invalid({ codes: texts.notACountry });
  return { mode, codes };
};

const newExemption: Omit<StoredExemption, "id"> = {
  method: "POST",
  path: "/",
  fields: [],
  categories: [],
  note: "",
};

/** An exemption from what an admin sent over what it was before. Throws {@link Refused} with each field at fault. */
export const exemptionFrom = (
  { revision: _revision, ...input }: ExemptionInput,
  before: StoredExemption = { id: crypto.randomUUID(), ...newExemption },
): StoredExemption => {
  const made = { ...before, ...input };
  const method = made.method.toUpperCase();
  const note = readText(made.note, mostRules.noteLength);
  const fields = made.fields.map((field) => readText(field, 100));
  const wrong = fields.findIndex((field) => "complaint" in field || field.text === "");
  const errors = {
    ...(methodShape.test(method) ? {} : { method: texts.method }),
    ...(readPath(made.path) === null || made.path.includes(":") ? { path: texts.exemptionPath } : {}),
    ...("complaint" in note ? { note: note.complaint } : {}),
    ...(wrong >= 0 ? { [`fields.${wrong}`]: texts.unprintable } : {}),
  };
  if ("complaint" in note || Object.keys(errors).length > 0) throw invalid(errors);
  return {
    ...made,
    method,
    note: note.text,
    fields: [...new Set(fields.flatMap((field) => ("text" in field ? [field.text] : [])))],
    categories: categories.filter((name) => made.categories.includes(name)),
  };
};

/** Puts an exemption in, or in the place of the one with its id. Throws {@link Refused}. */
export const putExemption = (rules: Rules, exemption: StoredExemption): Rules => {
  const key = exemptionKey(exemption);
  if (rules.exemptions.some((one) => one.id !== exemption.id && exemptionKey(one) === key))
    throw new Refused(409, "CONFLICT", texts.exemptionKnown);
  return { ...rules, exemptions: putIn(rules.exemptions, exemption, mostRules.exemptions) };
};

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A text of admins, trimmed; the complaint about it otherwise. */
export const readText = (text: string, most: number): { text: string } | { complaint: string } => {
  const trimmed = text.trim();
  if (trimmed.length > most) return { complaint: texts.noteLength(most) };
  return unprintable.test(trimmed) ? { complaint: texts.unprintable } : { text: trimmed };
};

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const yearMs = 366 * 86_400_000;

/** Milliseconds of a time such as `30m`, `12h` or `7d`, a year at most; `null` for anything else. */
const readDuration = (text: string): number | null => {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (units[unit] ?? 0);
  return ms > 0 && ms <= yearMs ? ms : null;
};

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
  return { ...rules, addresses: putIn(addresses, entry, mostRules.addresses) };
};

const isAlive = ({ expiresAt }: StoredAddress, nowMs: number): boolean =>
  expiresAt === null || Date.parse(expiresAt) > nowMs;

/** Changes an entry. Throws {@link Refused} for one that is not there, and for fields at fault. */
export const changeAddress = (
  rules: Rules,
  { id, change, nowMs }: { id: string; change: AddressChange; nowMs: number },
): Rules => {
  const entry = withId(rules.addresses, id);
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
  return { ...rules, addresses: putIn(rules.addresses, kept, mostRules.addresses) };
};

/** Removes entries by their ids. Throws {@link Refused} where none of them is there. */
export const deleteAddresses = (rules: Rules, ids: ReadonlySet<string>): Rules => {
  const addresses = rules.addresses.filter(({ id }) => !ids.has(id));
  if (addresses.length === rules.addresses.length) throw new Refused(404, "NOT_FOUND", texts.notFound);
  return { ...rules, addresses };
};

/** Removes the entry of a range, however it is written. Throws {@link Refused}. */
export const removeRange = (rules: Rules, text: string): Rules => {
  const range = readRange(text);
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
