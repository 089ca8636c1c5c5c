import type { Redis } from "ioredis";
import type { Log } from "#api/core/log.ts";
import type { RedisTarget } from "#api/core/settings.ts";
import { within } from "#api/core/timing.ts";
import type { Resolver } from "../outbound/check-address.ts";
import { dialRedis, redisServer } from "./dial-redis.ts";
import { explainRedisFailure } from "./redis-failure.ts";

export type RedisLineOptions = {
  target: RedisTarget;
  log: Log;
  resolver?: Resolver | undefined;
  /** Runs on each new connection before anyone else may use it; when it throws, Redis counts as away. */
  prepare(client: Redis): Promise<void>;
  /** Called after each try to connect, and when a connection is lost; `reason` is `null` when it is up. */
  onChange(reason: string | null): void;
};

/** The connection to one server, which comes back whenever it can. */
export type RedisLine = {
  readonly isUp: boolean;
  /** What `command` resolves to; `null` when Redis is away, refuses it or does not answer in time. */
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T | null>;
  /** Takes no more commands, and hangs up when those under way have ended. */
  retire(): void;
  /** Hangs up at once. */
  close(): void;
};

/** How long a command may take, in milliseconds. */
export const redisCommandMs = 200;

// Both together are how long Redis can be back without being used.
const connectMs = 1_000;
const retryMs = 500;
// Each step bounds itself; this is for one that hangs all the same.
const prepareMs = 3_000;

/**
 * Connects, and continues trying whenever Redis is away. Any failure of a command ends the connection: it may be frozen,
 * read-only or full, and `prepare` finds out whether the next one is better. Says so once for each change.
 */
export const openRedisLine = (options: RedisLineOptions): RedisLine => {
  const { target, log, resolver, prepare, onChange } = options;
  const server = redisServer(target.url);
  let current: Redis | null = null;
  let reported: "up" | "away" | null = null;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const report = (error: unknown): void => {
    if (isClosed) return;
    const reason = error === null ? null : explainRedisFailure(error);
    const state = reason === null ? "up" : "away";
    if (reported !== state && reason === null) log.info("Redis is in use", { server });
    if (reported !== state && reason !== null)
      log.warn("Redis is unavailable; this process continues without it", { server, reason });
    reported = state;
    onChange(reason);
  };

  const retryLater = (error: unknown): void => {
    report(error);
    if (!isClosed) retry = setTimeout(() => void connect(), retryMs);
  };

  const lose = (client: Redis, error: unknown): void => {
    if (client !== current) return;
    current = null;
    client.disconnect();
    retryLater(error);
  };

  const use = (client: Redis): void => {
    if (isClosed || client.status !== "ready") throw new Error("connection closed");
    current = client;
    client.once("close", () => lose(client, new Error("connection closed")));
    report(null);
  };

  const connect = async (): Promise<void> => {
    let client: Redis | null = null;
    try {
      client = await dialRedis(target, { limitMs: connectMs, resolver });
      await within(prepareMs, prepare(client));
      use(client);
    } catch (error) {
      client?.disconnect();
      retryLater(error);
    }
  };

  const stop = (): Redis | null => {
    const client = current;
    isClosed = true;
    clearTimeout(retry);
    current = null;
    return client;
  };

  void connect();
  return {
    get isUp() {
      return current !== null;
    },
    ask: async (command) => {
      const client = current;
      if (client === null) return null;
      try {
        return await within(redisCommandMs, command(client));
      } catch (error) {
        lose(client, error);
        return null;
      }
    },
    retire: () => {
      const client = stop();
      // No one waits longer than that for an answer.
      setTimeout(() => client?.disconnect(), redisCommandMs).unref();
    },
    close: () => stop()?.disconnect(),
  };
};
