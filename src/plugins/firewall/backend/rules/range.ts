/** A span of addresses of one family, in canonical writing; `first` and `last` are its ends. */
export type Range = { text: string; family: 4 | 6; prefix: number; first: bigint; last: bigint };

// Source: RFC 4291 §2.5.5.2: IPv4 in IPv6's clothes is IPv4.
const mapped = 0xffffn << 32n;
const lowest32 = 0xffff_ffffn;

/**
 * Reads an address or a CIDR range (`10.0.0.0/8`, `2001:db8::/32`), whatever bits are set behind its prefix; `null` when it
 * is neither. Each range has one writing: RFC 5952 for IPv6, no prefix for a single address.
 */
export const readRange = (text: string): Range | null => {
  const [network = "", prefix, ...more] = text.trim().split("/");
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null;
  const written = readAddress(network);
  if (written === null) return null;
  const isMapped = written.family === 6 && written.value >> 32n === mapped >> 32n;
  const family = isMapped ? 4 : written.family;
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix) - (isMapped ? 96 : 0);
  if (length < 0 || length > bits) return null;
  const host = (1n << BigInt(bits - length)) - 1n;
  const value = isMapped ? written.value & lowest32 : written.value;
  const first = value & ~host;
  const address = formatAddress(family, first);
  return {
    text: length === bits ? address : `${address}/${length}`,
    family,
    prefix: length,
    first,
    last: value | host,
  };
};

/** What counts as one caller: an IPv4 address, or the /64 network of an IPv6 address; the text itself where it is neither. */
export const networkOf = (address: string): string => {
  if (!address.includes(":")) return address;
  const known = networks.get(address);
  if (known !== undefined) return known;
  if (networks.size >= mostNetworks) networks.clear();
  const network = readRange(`${address}/64`)?.text ?? readRange(address)?.text ?? address;
  networks.set(address, network);
  return network;
};

/** The /48 network of an IPv6 address, of which one customer may have every /64; `null` for any other text. */
export const siteOf = (address: string): string | null =>
  address.includes(":") ? (readRange(`${address}/48`)?.text ?? null) : null;

// It is asked several times for each request.
const mostNetworks = 4_096;
const networks = new Map<string, string>();

/** Whether an address, however it is written, lies in a range. */
export const isInRange = (address: string, range: Range): boolean => {
  const read = readRange(address);
  return (
    read !== null && read.family === range.family && read.first >= range.first && read.last <= range.last
  );
};

const readAddress = (text: string): { family: 4 | 6; value: bigint } | null => {
  if (!text.includes(":")) {
    const value = readV4(text);
    return value === null ? null : { family: 4, value };
  }
  const value = readV6(text);
  return value === null ? null : { family: 6, value };
};

const decimal = /^(?:0|[1-9]\d{0,2})$/;

/** Four decimal numbers without leading zeros: other writings mean different addresses to different programs. */
const readV4 = (text: string): bigint | null => {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => decimal.test(part) && Number(part) < 256)) return null;
  return BigInt(parts.reduce((value, part) => value * 256 + Number(part), 0));
};

const hexadecimal = /^[0-9a-f]{1,4}$/i;

const readV6 = (text: string): bigint | null => {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half, index) => readGroups(half, index === halves.length - 1));
  if (!head || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? numberFrom(head) : null;
  const missing = 8 - head.length - tail.length;
  if (missing < 1) return null;
  return numberFrom([...head, ...Array.from({ length: missing }, () => 0), ...tail]);
};

/** Groups of an IPv6 address as numbers; the last ones may be written as IPv4. `null` where they are none. */
const readGroups = (text: string, isEnd: boolean): number[] | null => {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.includes(".")) {
      const v4 = isEnd && index === parts.length - 1 ? readV4(part) : null;
      if (v4 === null) return null;
      groups.push(Number(v4 >> 16n), Number(v4 & 0xffffn));
    } else if (hexadecimal.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
};

const numberFrom = (groups: readonly number[]): bigint =>
  groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);

const formatAddress = (family: 4 | 6, value: bigint): string => {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const { start, length } = longestZeros(groups);
  const written = groups.map((group) => group.toString(16));
  if (length < 2) return written.join(":");
  return `${written.slice(0, start).join(":")}::${written.slice(start + length).join(":")}`;
};

/** RFC 5952 §4.2.3: the longest run of zeros is left out, the first of several. */
const longestZeros = (groups: readonly number[]): { start: number; length: number } => {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: index - length + 1, length };
  }
  return best;
};
