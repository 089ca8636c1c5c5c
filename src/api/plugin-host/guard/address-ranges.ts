import { isIPv4, isIPv6 } from "node:net";
import { canonicalAddress } from "#api/http/client-address.ts";

/** A span of addresses of one family, both ends included. */
export type AddressSpan = { family: 4 | 6; first: bigint; last: bigint };

/**
 * The span of an address or of a CIDR range (`10.0.0.0/8`, `2001:db8::/32`), whatever bits are set behind its prefix;
 * `null` when it is neither. IPv4 in IPv6's clothes is IPv4.
 */
export const spanOf = (text: string): AddressSpan | null => {
  const [network = "", prefix, ...more] = text.split("/");
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null;
  const address = canonicalAddress(network);
  if (address === null) return null;
  const family = isIPv4(address) ? 4 : 6;
  const bits = family === 4 ? 32 : 128;
  const written = isIPv6(network) ? 128 : 32;
  const length = Number(prefix ?? written) - (written - bits);
  if (length < 0 || length > bits) return null;
  const host = (1n << BigInt(bits - length)) - 1n;
  const value = numberOf(address);
  return { family, first: value & ~host, last: value | host };
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
  if (!address.includes(":"))
    return BigInt(address.split(".").reduce((value, part) => value * 256 + Number(part), 0));
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return groups.reduce((value, group) => (value << 16n) | BigInt(Number.parseInt(group, 16)), 0n);
};
