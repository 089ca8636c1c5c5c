import { readFileSync } from "node:fs";
import { type CountryResponse, Reader } from "mmdb-lib";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";

/** The country of an address, in canonical writing, in two capital letters; `null` where it is not known. */
export type CountryBook = (ip: string) => string | null;

// Most requests come from a few addresses; a lookup in the file costs some microseconds.
const rememberedAddresses = 10_000;

/**
 * Reads a database of countries in MaxMind's format into memory; `null` without a path. One that cannot be read is told
 * of in the log, and then no one's country is known.
 */
export const openCountries = (path: string | null, log: Pick<Log, "error">): CountryBook | null => {
  if (path === null) return null;
  try {
    const reader = new Reader<CountryResponse>(readFileSync(path));
    return remembering((ip) => countryIn(reader, ip));
  } catch (error) {
    log.error("GEOIP_DB could not be read: rules about countries are off", {
      path,
      error: describeError(error),
    });
    return null;
  }
};

const countryIn = (reader: Reader<CountryResponse>, ip: string): string | null => {
  try {
    const found = reader.get(ip);
    // Where someone is counts for more than where their network is registered.
    return found?.country?.iso_code ?? found?.registered_country?.iso_code ?? null;
  } catch {
    return null;
  }
};

/** The same answers, those given last from memory: two generations, of which the older goes when the newer is full. */
const remembering = (look: CountryBook): CountryBook => {
  let recent = new Map<string, string | null>();
  let older = new Map<string, string | null>();
  return (ip) => {
    const known = recent.get(ip);
    if (known !== undefined) return known;
    const country = older.get(ip) ?? look(ip);
    if (recent.size >= rememberedAddresses) {
      older = recent;
      recent = new Map();
    }
    recent.set(ip, country);
    return country;
  };
};
