import type { Redis } from "ioredis";
import type { Log } from "#api/core/log.ts";
import { within } from "#api/core/within.ts";
import { dialRedis, redisServer } from "./dial-redis.ts";
import { explainRedisFailure } from "./redis-failure.ts";

export type RedisConnectionOptions = {
  url: string;
  log: Log;
  /** Runs on each new connection before anybody else may use it; when it throws, Redis counts as away. */
  prepare(client: Redis): Promise<void>;
};

/** A connection that costs nobody more than `redisCommandMs`, whatever happens to Redis. */
export type RedisConnection = {
  /** Whether commands are sent at all. */
  readonly isUp: boolean;
  /**
   * What `command` resolves to; `null` when Redis is away, refuses it or does not answer in time, in which case it may
   * have been done all the same.
   */
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T | null>;
  close(): void;
};

/** How long a command may take, in milliseconds. */
export const redisCommandMs = 200;

// Both together are how long Redis can be back without being used.
const connectMs = 1_000;
const retryMs = 500;

/**
 * Connects, and goes on trying whenever Redis is away. Any failure of a command ends the connection: it may be frozen,
 * read-only or full, and `prepare` finds out whether the next one is better. Says so once for each change.
 */
export const openRedisConnection = ({ url, log, prepare }: RedisConnectionOptions): RedisConnection => {
  const server = redisServer(url);
  let current: Redis | null = null;
  let isReported: "up" | "away" | null = null;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const report = (state: "up" | "away", error?: unknown): void => {
    if (isReported === state || isClosed) return;
    isReported = state;
    if (state === "up") log.info("Redis is in use", { server });
    else
      log.warn("Redis is away; this process goes on alone", { server, reason: explainRedisFailure(error) });
  };

  const retryLater = (error: unknown): void => {
    report("away", error);
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
    report("up");
  };

  const connect = async (): Promise<void> => {
    let client: Redis | null = null;
    try {
      client = await dialRedis(url, connectMs);
      await prepare(client);
      use(client);
    } catch (error) {
      client?.disconnect();
      retryLater(error);
    }
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
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      current?.disconnect();
      current = null;
    },
  };
};
