import { lookup } from "node:dns/promises";
import { isIP, isIPv4, isIPv6 } from "node:net";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
// Where clouds hand out the machine's own credentials.
const metadataNames = ["metadata.google.internal", "metadata.goog", "instance-data"];

/** Whether the address leads to this very machine by one of its three names. */
export const isLoopback = ({ hostname }: URL): boolean => loopbackNames.includes(hostname);

/**
 * The address as a URL when it may be called: https, or http on loopback; without user name; not a link-local or metadata
 * address, however it is written. Throws an {@link OutboundError} otherwise.
 */
export const checkAddress = (address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.username !== "" || url.password !== "") throw new OutboundError("refused");
  const isProtected = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
  if (!isProtected || isForbidden(url.hostname)) throw new OutboundError("refused");
  return url;
};

// URL has brought numbers in any base and IPv6 in any spelling into one form by now.
const isForbidden = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, "");
  const inner = name.replace(/^\[|\]$/g, "");
  return isMetadataName(name) || (isIP(inner) > 0 && isForbiddenAddress(inner));
};

/** Whether a host name, in small letters, is one behind which clouds hand out the machine's own credentials. */
const isMetadataName = (hostname: string): boolean => metadataNames.includes(hostname.replace(/\.$/, ""));

// Where clouds hand out the machine's own credentials or steer it, outside the link-local range too: Alibaba Cloud, Azure
// and Oracle; then, over IPv6, Google, Oracle, Scaleway, Akamai and Alibaba Cloud.
const metadataAddresses = [
  ...["100.100.100.200", "168.63.129.16", "192.0.0.192"],
  ...["fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "fd00:a9fe:a9fe::1", "fd00:100::100:200"],
];

/**
 * Whether an IP address, without brackets, is one that nothing is ever sent to: link-local, metadata, unspecified,
 * multicast, reserved, or IPv4 in IPv6's clothes. What is no IP address is forbidden too.
 */
export const isForbiddenAddress = (address: string): boolean => {
  if (isIPv4(address)) return isForbiddenIPv4(address);
  const url = `http://[${address}]/`;
  if (!isIPv6(address) || !URL.canParse(url)) return true;
  // URL brings any spelling into one form.
  return isForbiddenIPv6(new URL(url).hostname.slice(1, -1));
};

const isForbiddenIPv4 = (address: string): boolean =>
  /^(?:169\.254|0)\./.test(address) ||
  /^(?:22[4-9]|2[345]\d)\./.test(address) ||
  metadataAddresses.includes(address);

// Amazon keeps fd00:ec2::/32 for services of the machine: metadata, credentials of pods, time and names.
// Mapped, compatible, translated (NAT64, 6to4) and tunnelled (Teredo) addresses have an IPv4 address in them.
const isForbiddenIPv6 = (address: string): boolean =>
  /^(?:fe[89ab]|ff|fd00:ec2:)/.test(address) ||
  /^(?:::(?!1$)|64:ff9b:|2002:|2001:(?::|0:))/.test(address) ||
  metadataAddresses.includes(address);

/**
 * Whether a host may be called as far as its writing shows it: addresses are judged, and names that other programs read
 * as addresses. Nothing is looked up; what is behind a name is judged when it is called.
 */
export const isCallableHost = async (hostname: string): Promise<boolean> => {
  try {
    await resolveEachAllowed(hostname, async () => []);
    return true;
  } catch {
    // The resolver finds nothing and never fails: whatever is thrown is the refusal.
    return false;
  }
};

/**
 * Whether an IP address, without brackets, belongs to the public internet: neither forbidden everywhere nor private,
 * shared, for documentation or for measurements. Source: IANA's special-purpose address registries.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isForbiddenAddress(address)) return false;
  if (isIPv4(address)) return !special4.some((range) => range.test(address));
  if (!isIPv6(address)) return false;
  // One form for each address; only 2000::/3 is handed out.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  return /^[23][0-9a-f]{3}:/.test(plain) && !special6.some((range) => range.test(plain));
};

const special4 = [
  /^(?:10|127)\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^192\.168\./,
  /^192\.0\.[02]\./,
  /^192\.88\.99\./,
  /^198\.1[89]\./,
  /^198\.51\.100\./,
  /^203\.0\.113\./,
];

// Documentation, benchmarks, and overlay identifiers: 2001::/23 but for what is handed out of it is none of the net's.
const special6 = [/^2001:(?:0|[0-9a-f]{1,2}|1[0-9a-f]{2}|db8)?:/, /^3fff:0?[0-9a-f]{0,3}:/];

/** An address that may be dialled. */
export type ResolvedAddress = { address: string; family: 4 | 6 };

/** Looks a name up; tests bring their own. */
export type Resolver = (hostname: string) => Promise<{ address: string }[]>;

/**
 * The first address of {@link resolveEachAllowed}: to be dialled as it is, because a second lookup might say something
 * else.
 */
export const resolveAllowed = async (hostname: string, resolver?: Resolver): Promise<ResolvedAddress> => {
  const [first] = await resolveEachAllowed(hostname, resolver);
  if (first === undefined) throw new OutboundError("refused");
  return first;
};

/**
 * The addresses behind a host name or literal, in the order in which they are to be tried; private ones and loopback
 * among them. Throws `OutboundError("refused")` when one of them must not be called or the name is written in a way that
 * other programs read as another address, and what the lookup says when there is none.
 */
export const resolveEachAllowed = async (
  hostname: string,
  resolver: Resolver = systemResolver,
): Promise<ResolvedAddress[]> => {
  const name = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const isLiteral = isIP(name) > 0;
  if (!isLiteral && (!isPlainName(name) || isMetadataName(name))) throw new OutboundError("refused");
  const found = isLiteral ? [{ address: name }] : await resolver(name);
  if (found.some(({ address }) => isForbiddenAddress(address))) throw new OutboundError("refused");
  return found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
};

const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true });

// Numbers in any base and strange letters, which URL or a lookup would turn into an address.
const isPlainName = (name: string): boolean => {
  const url = `http://${name}/`;
  return /^[a-z0-9._-]+$/.test(name) && URL.canParse(url) && new URL(url).hostname === name;
};

/** Why a call to another server came to nothing: fixed texts, so that nothing of an address or an answer is repeated. */
export const outboundFaults = {
  refused: "connections to the address are not allowed",
  unreachable: "the server could not be reached",
  slow: "the server did not respond in time",
  large: "the response is too large",
  redirect: "the server responded with a redirect",
} as const;
type OutboundFault = keyof typeof outboundFaults;

/** A call to another server that failed; its message says of what kind the failure is and no more. */
export class OutboundError extends Error {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault) {
    super(outboundFaults[fault]);
    this.name = "OutboundError";
    this.fault = fault;
  }
}
