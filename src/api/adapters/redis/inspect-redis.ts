import type { Redis } from "ioredis";
import { within } from "#api/core/within.ts";
import { dialRedis, redisServer } from "./dial-redis.ts";
import { explainRedisFailure } from "./redis-failure.ts";

/** What a Redis server says of itself, or why it cannot be used. `server` is its host and port. */
export type RedisReport =
  | { server: string; isUsable: true; version: string; latencyMs: number }
  | { server: string; isUsable: false; reason: string };

/** Connects, asks a few questions and hangs up again, within `limitMs` for each; nothing is written. */
export const inspectRedis = async (url: string, limitMs = 5_000): Promise<RedisReport> => {
  const server = redisServer(url);
  let client: Redis | null = null;
  try {
    client = await dialRedis(url, limitMs);
    const facts = readFacts(await within(limitMs, client.info()));
    const isReplica = facts.get("role") === "slave" && facts.get("slave_read_only") === "1";
    if (isReplica) throw new Error("READONLY");
    const startedAt = performance.now();
    await within(limitMs, client.ping());
    const latencyMs = performance.now() - startedAt;
    return {
      server,
      isUsable: true,
      version: facts.get("redis_version") ?? "of an unknown version",
      latencyMs,
    };
  } catch (error) {
    return { server, isUsable: false, reason: explainRedisFailure(error) };
  } finally {
    client?.disconnect();
  }
};

/** The lines `name:value` of what INFO answers. */
const readFacts = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = "", value = ""]) => [name, value]));
