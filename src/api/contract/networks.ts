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

/** Whether every address of `inner` is one of `outer`, both being addresses or CIDR ranges; what is neither is in none. */
export const isWithin = (inner: string, outer: string): boolean => {
  const [small, large] = [spanOf(inner), spanOf(outer)];
  if (small === null || large === null || small.family !== large.family) return false;
  return large.first <= small.first && small.last <= large.last;
};

/** The number that an address stands for; it must be one. */
export const numberOf = (address: string): bigint => {
  if (!address.includes(":")) return BigInt(ipv4Number(address));
  const [head = "", tail] = address.split("::");
  const left = digitsOf(head);
  if (tail === undefined) return BigInt(`0x${left}`);
  return BigInt(`0x${left}${digitsOf(tail).padStart(32 - left.length, "0")}`);
};

// ::ffff:0:0/96 (RFC 4291 §2.5.5.2)
const mappedPrefix = 0xffffn;
const lowest32 = 0xffff_ffffn;

const dotted = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Bits of an address as it is written; `null` when it is none, or has a zone. */
const widthOf = (address: string): 32 | 128 | null => {
  if (dotted.test(address)) return 32;
  // The longest is six groups and an IPv4 address; browsers and servers alike read IPv6 in URLs.
  const isShaped = address.includes(":") && address.length <= 45 && /^[\da-f:.]+$/i.test(address);
  return isShaped && URL.canParse(`http://[${address}]/`) ? 128 : null;
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
