import { BlockList, isIP } from "node:net";
import type { Clock } from "#api/core/clock.ts";
import type { Client, Exchange } from "#api/door/exchange.ts";
import { settingsTexts, type VisitorView } from "#contract/settings.ts";

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

/** A test whether an address is in one of the CIDR ranges (`10.0.0.0/8`, `::1`, the word `loopback`). */
const createAddressList = (ranges: string[]): ((address: string) => boolean) => {
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

/** Notices proxies that are not believed, so that all who come through one count as one. */
export type ProxyWatch = {
  /** Takes down how a client's address was found; `forwardedFor` as it came, `trustProxy` as it was switched at `nowMs`, a moment of `clock.uptimeMs()`. */
  see(client: Client, seen: { forwardedFor: string | null; trustProxy: boolean; nowMs: number }): void;
  /** What is likely wrong, for an admin whose request came this way. */
  warningFor(client: Client, forwardedFor: string | null, trustProxy: boolean): string | null;
  /**
   * The same for the operator, who comes through no proxy: only while all requests seem to come from the same place,
   * and only for peers that cannot be clients on the internet.
   */
  warningForOperator(trustProxy: boolean): string | null;
  /** The address that the newest visitor counts under; `null` when none came recently. */
  newestAddress(): string | null;
};

type ProxyWatchOptions = { clock: Clock; isProxy: (address: string) => boolean };

const recentMs = 10 * 60_000;
// A single visitor may send another address now and then; a third one is someone else.
const severalValues = 3;
const mostPeers = 32;
const mostCharacters = 100;

/** Addresses of this machine and of internal networks, which no client on the internet has. */
const isInternalAddress = createAddressList([
  "loopback",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "fc00::/7",
  "fe80::/10",
]);

/**
 * Remembers little: of some peers, the last few values of `X-Forwarded-For` that did not count, and the last two
 * addresses that did. Received values are never shown, only addresses of connections. Made-up values warn no one else:
 * a warned admin must have sent such a value from the same peer.
 */
export const createProxyWatch = ({ clock, isProxy }: ProxyWatchOptions): ProxyWatch => {
  const ignored = new Map<string, Map<string, number>>();
  const last = { ip: "", atMs: Number.NEGATIVE_INFINITY };
  const beforeLast = { ip: "", atMs: Number.NEGATIVE_INFINITY };
  let wasTrusting = true;

  /** What was seen before the switch was turned says nothing of how visitors look now. */
  const startAnew = (trustProxy: boolean): void => {
    wasTrusting = trustProxy;
    ignored.clear();
    last.atMs = Number.NEGATIVE_INFINITY;
    beforeLast.atMs = Number.NEGATIVE_INFINITY;
  };

  const seeAddress = (ip: string, nowMs: number): void => {
    if (ip !== last.ip) {
      beforeLast.ip = last.ip;
      beforeLast.atMs = last.atMs;
      last.ip = ip;
    }
    last.atMs = nowMs;
  };

  const seeIgnored = (peer: string, value: string, nowMs: number): void => {
    const values = ignored.get(peer) ?? new Map<string, number>();
    // The one that was seen longest ago is replaced.
    ignored.delete(peer);
    if (ignored.size >= mostPeers) forgetFirst(ignored);
    ignored.set(peer, values);
    values.delete(value);
    if (values.size >= severalValues) forgetFirst(values);
    values.set(value, nowMs);
  };

  const isCrowd = (peer: string): boolean => {
    const sinceMs = clock.uptimeMs() - recentMs;
    let recent = 0;
    for (const atMs of ignored.get(peer)?.values() ?? []) if (atMs >= sinceMs) recent += 1;
    return recent >= severalValues;
  };

  /** Whether all who came recently count as the one address. */
  const isEverybody = (peer: string): boolean => {
    const other = last.ip === peer ? beforeLast : last;
    return other.atMs < clock.uptimeMs() - recentMs;
  };

  const warningOf = (peer: string, trustProxy: boolean): string | null => {
    if (isIP(peer) === 0 || (trustProxy && isProxy(peer))) return null;
    return settingsTexts.everybodyLooksTheSame(peer, { isListed: isProxy(peer), trustProxy });
  };

  return {
    see: (client, { forwardedFor, trustProxy, nowMs }) => {
      if (trustProxy !== wasTrusting) startAnew(trustProxy);
      seeAddress(client.ip, nowMs);
      if (forwardedFor === null || client.isForwarded) return;
      seeIgnored(client.peer, forwardedFor.slice(0, mostCharacters), nowMs);
    },
    warningFor: (client, forwardedFor, trustProxy) => {
      if (forwardedFor === null || client.isForwarded || !isCrowd(client.peer)) return null;
      return warningOf(client.peer, trustProxy);
    },
    warningForOperator: (trustProxy) => {
      const suspect = [...ignored.keys()].find(
        (peer) => (isProxy(peer) || isInternalAddress(peer)) && isCrowd(peer) && isEverybody(peer),
      );
      return suspect === undefined ? null : warningOf(suspect, trustProxy);
    },
    newestAddress: () => (last.atMs >= clock.uptimeMs() - recentMs ? last.ip : null),
  };
};

/** Forgets what a map has held longest. */
export const forgetFirst = (map: Map<string, unknown>): void => {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
};

/** Shows callers how they reach this server, with whose word about them counts, and what is likely wrong; the operator, how visitors do. */
export const createVisitorView =
  (watch: ProxyWatch, trustedProxies: string[]) =>
  ({ client, entrance, request, switches: { trustProxy } }: Exchange): VisitorView => {
    const seen = {
      ...{ ip: client.ip, peer: client.peer, isBehindTrustedProxy: client.isForwarded },
      trustedProxies: trustProxy ? trustedProxies : [],
    };
    if (entrance.via === "socket")
      return { ...seen, warning: watch.warningForOperator(trustProxy), newestVisitor: watch.newestAddress() };
    const forwardedFor = request.headers.get("x-forwarded-for");
    return { ...seen, warning: watch.warningFor(client, forwardedFor, trustProxy) };
  };
