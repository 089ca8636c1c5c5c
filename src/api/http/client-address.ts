import { BlockList, isIP } from "node:net";

/** Finds the address of the client behind a connection. */
export type AddressResolver = (peer: string, forwardedFor: string | null) => string;

/**
 * The rightmost address of `X-Forwarded-For` that is not a trusted proxy, when the connection itself comes from a
 * trusted one; else the connection's own address. Malformed or wholly trusted lists fall back to the peer.
 */
export const createAddressResolver = (trustedProxies: string[]): AddressResolver => {
  const trusted = createAddressList(trustedProxies);
  return (peer, forwardedFor) => {
    const own = canonicalAddress(peer) ?? peer;
    if (forwardedFor === null || !trusted(own)) return own;
    for (const part of forwardedFor.split(",").reverse()) {
      const hop = canonicalAddress(part.trim());
      if (hop === null) return own;
      if (!trusted(hop)) return hop;
    }
    return own;
  };
};

/** A test whether an address lies in one of the CIDR ranges (`10.0.0.0/8`, `::1`, the word `loopback`). */
export const createAddressList = (ranges: string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const range of ranges.flatMap((entry) =>
    entry === "loopback" ? ["127.0.0.0/8", "::1/128"] : [entry],
  )) {
    const [network = "", prefix] = range.split("/");
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(network, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
};

/** One spelling for each address: IPv4-mapped IPv6 becomes IPv4, IPv6 is compressed; `null` when it is none. */
export const canonicalAddress = (address: string): string | null => {
  const family = isIP(address);
  if (family === 4) return address;
  if (family !== 6 || address.includes("%")) return null;
  const compressed = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed);
  if (!mapped?.[1] || !mapped[2]) return compressed;
  const [high, low] = [Number.parseInt(mapped[1], 16), Number.parseInt(mapped[2], 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
};
