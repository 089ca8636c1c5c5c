import { BlockList, isIP } from "node:net";
import type { Client } from "#api/door/passage.ts";

/** Finds the client behind a connection. While `trustProxy` is off, that is the connection's own address. */
export type ClientFinder = {
  find(peer: string, forwardedFor: string | null, trustProxy: boolean): Client;
  /** Whether an address is that of a trusted proxy. */
  isProxy(address: string): boolean;
};

type Peer = { address: string; isProxy: boolean };

// Proxies are few, and so are the addresses of those who come without.
const rememberedPeers = 1_024;

/**
 * The rightmost address of `X-Forwarded-For` that is not a trusted proxy, when the connection itself comes from a
 * trusted one; else the connection's own address. Malformed or wholly trusted lists fall back to the peer.
 */
export const createClientFinder = (trustedProxies: string[]): ClientFinder => {
  const isTrusted = createAddressList(trustedProxies);
  const peers = new Map<string, Peer>();

  const look = (text: string): Peer => {
    const known = peers.get(text);
    if (known) return known;
    const address = canonicalAddress(text);
    const peer = { address: address ?? text, isProxy: address !== null && isTrusted(address) };
    if (peers.size < rememberedPeers) peers.set(text, peer);
    return peer;
  };

  const lastStranger = (forwardedFor: string): string | null => {
    for (const part of forwardedFor.split(",").reverse()) {
      const hop = hopAddress(part.trim());
      if (hop === null || !isTrusted(hop)) return hop;
    }
    return null;
  };

  return {
    find: (text, forwardedFor, trustProxy) => {
      const peer = look(text);
      if (forwardedFor === null || !trustProxy || !peer.isProxy)
        return { ip: peer.address, peer: peer.address, isForwarded: false };
      return { ip: lastStranger(forwardedFor) ?? peer.address, peer: peer.address, isForwarded: true };
    },
    isProxy: (address) => look(address).isProxy,
  };
};

/** An address as proxies write it, some of them with the port that it came from. Source of the two forms: RFC 7239, 6. */
const hopAddress = (text: string): string | null => {
  const [, v4, v6] = withPort.exec(text) ?? [];
  return canonicalAddress(v4 ?? v6 ?? text);
};

const withPort = /^(?:([\d.]+)|\[([\da-f.]*:[\da-f:.]*)\]):\d{1,5}$/i;

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
