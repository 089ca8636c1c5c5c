import { isIP } from "node:net";
import type { Redis, RedisOptions } from "ioredis";
import { within } from "#api/core/within.ts";

/** Host and port of a Redis URL, without user and password. */
export const redisServer = (url: string): string => {
  const { host, port } = optionsFrom(url);
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
};

/**
 * Opens one connection, within `limitMs`, that does not come back by itself once it is lost. Throws what Redis, the
 * network or TLS said: see `explainRedisFailure`.
 */
export const dialRedis = async (url: string, limitMs: number): Promise<Redis> => {
  // Loaded here, because it takes longer than most of the start, and most installations need none.
  const { Redis } = await import("ioredis");
  const client = new Redis({ ...optionsFrom(url), ...always });
  let reason: unknown;
  // The promise of `connect` knows of no more than a closed connection; without a listener errors would be printed.
  client.on("error", (error) => {
    reason ??= error;
  });
  try {
    await within(limitMs, client.connect());
    // A database number that does not exist is an event only: commands would go to another database.
    if (reason !== undefined) throw reason;
    return client;
  } catch (error) {
    client.disconnect();
    throw reason ?? error;
  }
};

/** Commands fail at once instead of waiting for better times: whoever asks has something else to do then. */
const always = {
  lazyConnect: true,
  retryStrategy: null,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // A server that answers nothing does not answer the goodbye either.
  disconnectTimeout: 100,
} satisfies RedisOptions;

const optionsFrom = (text: string) => {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // TLS knows servers by name; an address has none to tell.
  const tls = isIP(host) > 0 ? {} : { servername: host };
  return {
    host,
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(url.protocol === "rediss:" ? { tls } : {}),
  };
};
