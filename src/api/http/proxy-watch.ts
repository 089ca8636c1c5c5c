import type { Clock } from "#api/core/clock.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { Client } from "./client-address.ts";

/** Notices proxies that are not believed, so that all who come through one count as one. */
export type ProxyWatch = {
  /** Takes down how a client's address was found; `forwardedFor` as it came, `trustProxy` as it was switched then. */
  see(client: Client, forwardedFor: string | null, trustProxy: boolean): void;
  /**
   * What is likely wrong, for whoever calls from `peer`; `null` stands for the operator, who comes through no proxy and
   * is told only while nobody seems to come from elsewhere.
   */
  warningFor(peer: string | null, trustProxy: boolean): string | null;
};

export type ProxyWatchOptions = { clock: Clock; isProxy: (address: string) => boolean };

const recentMs = 10 * 60_000;
// A single visitor may name another address now and then; a third one is somebody else.
const severalValues = 3;
const mostPeers = 32;
const mostCharacters = 100;

/**
 * Remembers little: of some peers, the last few values of `X-Forwarded-For` that did not count, and the last two
 * addresses that did. Whoever invents such values warns nobody but those who share their address.
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
    // The one that was heard of longest ago makes room.
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

  return {
    see: (client, forwardedFor, trustProxy) => {
      if (trustProxy !== wasTrusting) startAnew(trustProxy);
      const nowMs = clock.uptimeMs();
      seeAddress(client.ip, nowMs);
      if (forwardedFor === null || client.isForwarded) return;
      seeIgnored(client.peer, forwardedFor.slice(0, mostCharacters), nowMs);
    },
    warningFor: (peer, trustProxy) => {
      const suspect = peer ?? [...ignored.keys()].find((key) => isCrowd(key) && isEverybody(key));
      if (suspect === undefined || !isCrowd(suspect)) return null;
      if (trustProxy && isProxy(suspect)) return null;
      return settingsTexts.everybodyLooksTheSame(suspect, { isListed: isProxy(suspect), trustProxy });
    },
  };
};

const forgetFirst = (map: Map<string, unknown>): void => {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
};
