import { isIPv4, isIPv6 } from "node:net";

/** A span of addresses of one family, both ends included. */
export type AddressSpan = { family: 4 | 6; first: bigint; last: bigint };

/**
 * The span of an address or of a CIDR range (`10.0.0.0/8`, `2001:db8::/32`), whatever bits are set behind its prefix;
 * `null` when it is neither. IPv4 in IPv6's clothes is IPv4.
 */
export const spanOf = (text: string): AddressSpan | null => {
  const [network = "", prefix, ...more] = text.split("/");
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null;
  const written = widthOf(network);
  if (written === null) return null;
  const value = numberOf(network);
  const family = written === 32 || value >> 32n === mappedPrefix ? 4 : 6;
  const bits = family === 4 ? 32 : 128;
  const length = Number(prefix ?? written) - (written - bits);
  if (length < 0 || length > bits) return null;
  const host = (1n << BigInt(bits - length)) - 1n;
  const own = family === 4 ? value & lowest32 : value;
  return { family, first: own & ~host, last: own | host };
};

// ::ffff:0:0/96 (RFC 4291 §2.5.5.2)
const mappedPrefix = 0xffffn;
const lowest32 = 0xffff_ffffn;

/** Bits of an address as it is written; `null` when it is none, or has a zone. */
const widthOf = (address: string): 32 | 128 | null => {
  if (isIPv4(address)) return 32;
  return isIPv6(address) && !address.includes("%") ? 128 : null;
};

/** A test whether an address, in canonical writing, lies in one of the spans: in so many steps as their number has digits. */
export const createAddressTest = (spans: readonly AddressSpan[]): ((address: string) => boolean) => {
  const merged = { 4: merge(spans, 4), 6: merge(spans, 6) };
  return (address) => {
    const family = address.includes(":") ? 6 : 4;
    const list = merged[family];
    if (list.length === 0 || (family === 6 ? !isIPv6(address) : !isIPv4(address))) return false;
    const value = numberOf(address);
    let [low, high] = [0, list.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const span = list[middle];
      if (span === undefined) return false;
      if (value < span.first) high = middle - 1;
      else if (value > span.last) low = middle + 1;
      else return true;
    }
    return false;
  };
};

/** Those of a family in order, none touching the next. */
const merge = (spans: readonly AddressSpan[], family: 4 | 6): AddressSpan[] => {
  const sorted = spans
    .filter((span) => span.family === family)
    .sort((one, other) => Number(one.first > other.first) - Number(one.first < other.first));
  const merged: AddressSpan[] = [];
  for (const span of sorted) {
    const before = merged.at(-1);
    if (before === undefined || span.first > before.last + 1n) merged.push({ ...span });
    else if (span.last > before.last) before.last = span.last;
  }
  return merged;
};

const numberOf = (address: string): bigint => {
  if (!address.includes(":")) return BigInt(ipv4Number(address));
  const [head = "", tail] = address.split("::");
  const left = digitsOf(head);
  if (tail === undefined) return BigInt(`0x${left}`);
  return BigInt(`0x${left}${digitsOf(tail).padStart(32 - left.length, "0")}`);
};

const ipv4Number = (address: string): number =>
  address.split(".").reduce((value, part) => value * 256 + Number(part), 0);

/** Groups of an IPv6 address as hexadecimal digits, four each; its end may be written as IPv4. */
const digitsOf = (groups: string): string => {
  if (groups === "") return "";
  let digits = "";
  for (const group of groups.split(":"))
    digits += group.includes(".") ? ipv4Number(group).toString(16).padStart(8, "0") : group.padStart(4, "0");
  return digits;
};
