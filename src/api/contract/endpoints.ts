/** A Redis endpoint as it is kept, and the password that was in it. */
type RedisEndpoint = { endpoint: string; password: string | null };

const redisParts = /^(rediss?):\/\/(?:([^@]*)@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?(?:\/(\d+)?)?$/;

/**
 * Takes a Redis endpoint of the right form apart: what is kept has its host in small letters and no password, which
 * comes beside it, decoded. `null` for a text of another form.
 */
export const splitRedisEndpoint = (text: string): RedisEndpoint | null => {
  const parts = redisParts.exec(text.trim());
  if (parts === null) return null;
  const [, scheme = "", account = "", host = "", port, db] = parts;
  const colon = account.indexOf(":");
  const user = colon < 0 ? account : account.slice(0, colon);
  const password = colon < 0 ? "" : decoded(account.slice(colon + 1));
  if (password === null || decoded(user) === null) return null;
  const server = `${host.toLowerCase()}${port === undefined ? "" : `:${Number(port)}`}`;
  return {
    endpoint: `${scheme}://${user === "" ? "" : `${user}@`}${server}${db === undefined ? "" : `/${Number(db)}`}`,
    password: password === "" ? null : password,
  };
};

/** The text with its escapes undone; `null` when a percent sign begins none. */
export const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    // No one can know what was meant.
    return null;
  }
};

/** An S3 endpoint as it is kept: in small letters, without a slash at its end. */
export const plainS3Endpoint = (text: string): string => text.trim().replace(/\/$/, "").toLowerCase();

/** Whether a URL's host is this very machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);

/** The address of a web service without slash at its end: `https`, or `http` on this machine; `null` for any other text. */
export const plainServiceUrl = (text: string): string | null => {
  const url = /^https?:\/\/[^\s?#{}]+$/i.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return null;
  return url.protocol === "https:" || isLoopback(url) ? url.href.replace(/\/+$/, "") : null;
};

const defaultPorts: Record<string, string> = { redis: "6379", rediss: "6379", http: "80", https: "443" };

/** The server behind an endpoint that is kept, as `scheme://host:port`; empty where there is none. */
export const serverOf = (endpoint: string): string => {
  const [, scheme = "", host = "", port] =
    /^(\w+):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?/.exec(endpoint) ?? [];
  return scheme === "" ? "" : `${scheme}://${host.toLowerCase()}:${port ?? defaultPorts[scheme]}`;
};

/**
 * Whether secrets that were entered for one endpoint may be sent to another: to the same server, and never without the
 * TLS that was there. What was entered for none goes nowhere.
 */
export const keepsSecrets = (from: string, to: string): boolean => {
  const [old, next] = [serverOf(from), serverOf(to)];
  return old !== "" && (old === next || old.replace(/^redis:/, "rediss:") === next);
};

const ownLowPorts: Record<string, number[]> = {
  http: [80, 443],
  https: [80, 443],
  redis: [443],
  rediss: [443],
};
// Source: the Fetch standard, "port blocking"; those below 1024 are refused anyway.
const foreignPorts = [
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669],
  ...[6679, 6697, 10_080],
];

/**
 * Whether an endpoint names a port on which other kinds of services listen, such as email or remote shells: words that
 * are meant for Redis or for storage are never said there.
 */
export const hasForeignPort = (endpoint: string): boolean => {
  const [, scheme = "", port] = /^(\w+):.*:(\d+)$/.exec(serverOf(endpoint)) ?? [];
  const number = Number(port);
  return number < 1024 ? ownLowPorts[scheme]?.includes(number) !== true : foreignPorts.includes(number);
};

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
