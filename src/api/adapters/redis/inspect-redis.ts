import type { RedisTarget } from "#api/core/settings.ts";
import { runRedisChecks } from "./run-redis-checks.ts";

/** What a Redis server says of itself, or why it cannot be used. `server` is its host and port. */
export type RedisReport =
  | { server: string; isUsable: true; version: string | null; latencyMs: number | null; warnings: string[] }
  | { server: string; isUsable: false; reason: string };

/** What `atrium doctor` is told of a server: tried as in the connection test of the settings, within `limitMs` in all. */
export const inspectRedis = async (target: RedisTarget, limitMs = 5_000): Promise<RedisReport> => {
  const { server, failure, warnings, version, latencyMs } = await runRedisChecks(target, { limitMs });
  if (failure !== null) return { server, isUsable: false, reason: failure };
  return { server, isUsable: true, version, latencyMs, warnings };
};
