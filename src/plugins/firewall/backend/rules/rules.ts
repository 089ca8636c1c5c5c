import { type Category, categories, type Exemption } from "../engine/engine-types.ts";
import { type AddressEntry, type CountryRules, type RateRule, roles } from "../wire/rules.ts";
import { readRange } from "./range.ts";

/** What admins list: kept as one document, changed as a whole. */
export type Rules = {
  addresses: StoredAddress[];
  countries: CountryRules;
  rates: StoredRate[];
  /** Ids of attack patterns. */
  switchedOff: number[];
  exemptions: StoredExemption[];
};

/** Hits are counted elsewhere: they change with each request. */
export type StoredAddress = Omit<AddressEntry, "hits">;
export type StoredRate = Omit<RateRule, "hits">;
export type StoredExemption = Omit<Exemption, "fields" | "categories" | "places"> & {
  id: string;
  fields: string[];
  categories: Category[];
  note: string;
};

/** Nothing is listed. */
export const noRules: Rules = {
  addresses: [],
  countries: { mode: "off", codes: [] },
  rates: [],
  switchedOff: [],
  exemptions: [],
};

/** The stored rules are not what was stored. */
export class RulesDamaged extends Error {
  override name = "RulesDamaged";
}

/**
 * Reads stored rules, of which nothing is believed: a document that is damaged anywhere is damaged as a whole, so that no
 * half of a list is taken for the list. Throws {@link RulesDamaged}.
 */
export const readRules = (value: unknown): Rules => {
  const fields = objectIn(value, "rules");
  const countries = objectIn(fields.countries, "countries");
  return {
    addresses: listIn(fields.addresses, "addresses").map(readAddress),
    countries: {
      mode: oneOf(["off", "allow", "deny"] as const, countries.mode, "countries.mode"),
      codes: listIn(countries.codes, "countries.codes").map((code) => textIn(code, "countries.codes")),
    },
    rates: listIn(fields.rates, "rates").map(readRate),
    switchedOff: listIn(fields.switchedOff, "switchedOff").map((id) => numberIn(id, "switchedOff")),
    exemptions: listIn(fields.exemptions, "exemptions").map(readExemption),
  };
};

const readAddress = (value: unknown): StoredAddress => {
  const entry = objectIn(value, "addresses");
  const range = textIn(entry.range, "addresses.range");
  if (readRange(range)?.text !== range) throw new RulesDamaged("addresses.range is not a range");
  return {
    id: textIn(entry.id, "addresses.id"),
    kind: oneOf(["allow", "deny"] as const, entry.kind, "addresses.kind"),
    range,
    note: textIn(entry.note, "addresses.note"),
    author: textIn(entry.author, "addresses.author"),
    createdAt: timeIn(entry.createdAt, "addresses.createdAt"),
    expiresAt: entry.expiresAt === null ? null : timeIn(entry.expiresAt, "addresses.expiresAt"),
  };
};

const readRate = (value: unknown): StoredRate => {
  const rule = objectIn(value, "rates");
  const windowMs = numberIn(rule.windowMs, "rates.windowMs");
  const max = numberIn(rule.max, "rates.max");
  if (windowMs < 1 || max < 1) throw new RulesDamaged("rates has an invalid number");
  return {
    id: textIn(rule.id, "rates.id"),
    title: textIn(rule.title, "rates.title"),
    isOn: flagIn(rule.isOn, "rates.isOn"),
    method: textIn(rule.method, "rates.method"),
    path: textIn(rule.path, "rates.path"),
    roles: listIn(rule.roles, "rates.roles").map((role) => oneOf(roles, role, "rates.roles")),
    key: oneOf(["ip", "user", "ip+path"] as const, rule.key, "rates.key"),
    windowMs,
    max,
    action: oneOf(["block", "log", "ban"] as const, rule.action, "rates.action"),
  };
};

const readExemption = (value: unknown): StoredExemption => {
  const exemption = objectIn(value, "exemptions");
  return {
    id: textIn(exemption.id, "exemptions.id"),
    method: textIn(exemption.method, "exemptions.method"),
    path: textIn(exemption.path, "exemptions.path"),
    fields: listIn(exemption.fields, "exemptions.fields").map((name) => textIn(name, "exemptions.fields")),
    categories: listIn(exemption.categories, "exemptions.categories").map((name) =>
      oneOf(categories, name, "exemptions.categories"),
    ),
    note: textIn(exemption.note, "exemptions.note"),
  };
};

/** An object's fields. Throws {@link RulesDamaged}. */
export const objectIn = (value: unknown, what: string): Record<string, unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RulesDamaged(`${what} is not an object`);
  return Object.fromEntries(Object.entries(value));
};

const listIn = (value: unknown, what: string): unknown[] => {
  if (!Array.isArray(value)) throw new RulesDamaged(`${what} is not a list`);
  return value;
};

/** A text. Throws {@link RulesDamaged}. */
const textIn = (value: unknown, what: string): string => {
  if (typeof value !== "string" || value.length > 1_000) throw new RulesDamaged(`${what} is not a text`);
  return value;
};

/** A number that is one. Throws {@link RulesDamaged}. */
export const numberIn = (value: unknown, what: string): number => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new RulesDamaged(`${what} is not a number`);
  return value;
};

const flagIn = (value: unknown, what: string): boolean => {
  if (typeof value !== "boolean") throw new RulesDamaged(`${what} is not a boolean`);
  return value;
};

const timeIn = (value: unknown, what: string): string => {
  const text = textIn(value, what);
  if (Number.isNaN(Date.parse(text))) throw new RulesDamaged(`${what} is not a time`);
  return text;
};

const oneOf = <T extends string>(known: readonly T[], value: unknown, what: string): T => {
  const found = known.find((word) => word === value);
  if (found === undefined) throw new RulesDamaged(`${what} is not one of ${known.join(", ")}`);
  return found;
};
