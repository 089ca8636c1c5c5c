import type { Category, Exemption } from "../engine/engine-types.ts";
import type { AddressEntry, CountryRules, RateRule } from "../wire.ts";

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

/** How much of each there may be, and how long texts of admins are. */
export const mostRules = {
  addresses: 5_000,
  countries: 300,
  rates: 100,
  switchedOff: 2_000,
  exemptions: 200,
  fields: 50,
  noteLength: 200,
  titleLength: 80,
  pathLength: 200,
} as const;

/** Nothing is listed. */
export const noRules: Rules = {
  addresses: [],
  countries: { mode: "off", codes: [] },
  rates: [],
  switchedOff: [],
  exemptions: [],
};
