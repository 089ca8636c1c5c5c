import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isMetadataName } from "./check-address.ts";
import { isForbiddenAddress } from "./forbidden-address.ts";
import { OutboundError } from "./outbound-error.ts";

/** An address that may be dialled. */
export type ResolvedAddress = { address: string; family: 4 | 6 };

/** Looks a name up; tests bring their own. */
export type Resolver = (hostname: string) => Promise<{ address: string }[]>;

/**
 * The first address of {@link resolveEachAllowed}: to be dialled as it is, because a second look-up might say something
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
 * other programs read as another address, and what the look-up says when there is none.
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

// Numbers in any base and strange letters, which URL or a look-up would turn into an address.
const isPlainName = (name: string): boolean => {
  const url = `http://${name}/`;
  return /^[a-z0-9._-]+$/.test(name) && URL.canParse(url) && new URL(url).hostname === name;
};
