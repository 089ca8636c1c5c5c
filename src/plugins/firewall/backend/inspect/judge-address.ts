import type { Compiled } from "../change/in-force.ts";
import { networkOf, readRange } from "../rules/range.ts";
import type { Reason } from "../wire.ts";

/** Whether an address is banned at a moment: why, or `null`. */
export type BanOf = (address: string) => { reason: string; until: number } | null;

/** What the rules about places say. */
export type AddressVerdict = {
  /** An entry lets it in: then neither ban nor country is asked. */
  isAllowed: boolean;
  /** The entry that decided, `null` where none did. */
  entry: string | null;
  /** Why it is kept out; `null` lets it go on. */
  reason: Reason | null;
};

const passes: AddressVerdict = { isAllowed: false, entry: null, reason: null };

/**
 * Judges where a request comes from. The narrowest entry of the lists that an address lies in decides, so that one address
 * of a range can be let in, and another of an allowed range kept out. An allowed address is neither asked for its ban nor
 * for its country; rates and patterns are asked all the same.
 */
export const judgeAddress = (
  compiled: Compiled,
  { ip, country, banOf }: { ip: string; country: () => string | null; banOf: BanOf },
): AddressVerdict => {
  const entry = compiled.entryAt(ip);
  if (entry?.kind === "allow") return { isAllowed: true, entry: entry.id, reason: null };
  if (entry !== null) {
    const note = entry.note === "" ? "" : ` (${entry.note})`;
    const isWhole = readRange(ip)?.text === entry.range;
    const words = isWhole ? `${ip} is denied` : `${ip} is in ${entry.range}, which is denied`;
    return {
      isAllowed: false,
      entry: entry.id,
      reason: reasonOf("address", entry.id, `${words}${note}`),
    };
  }
  const ban = banOf(networkOf(ip));
  if (ban !== null) {
    const until = new Date(ban.until).toISOString();
    return {
      ...passes,
      reason: reasonOf("ban", networkOf(ip), `${ip} is banned until ${until}: ${ban.reason}`),
    };
  }
  if (compiled.countryMode === "off") return passes;
  const code = country();
  if (code === null || compiled.countries.has(code) === (compiled.countryMode === "allow")) return passes;
  const text =
    compiled.countryMode === "allow" ? `${code} is not among the allowed countries` : `${code} is denied`;
  return { ...passes, reason: reasonOf("country", code, text) };
};

/** A reason without place and score. */
export const reasonOf = (by: Reason["by"], rule: string, text: string): Reason => ({
  ...{ by, rule, text },
  ...{ score: 0, place: "", name: "", excerpt: "" },
});
