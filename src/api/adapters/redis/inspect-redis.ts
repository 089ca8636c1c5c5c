import { probeRedis } from "./probe-redis.ts";

/** What a Redis server says of itself, or why it cannot be used. `server` is its host and port. */
export type RedisReport =
  | { server: string; isUsable: true; version: string | null; latencyMs: number | null; warnings: string[] }
  | { server: string; isUsable: false; reason: string };

/** Tries the server at `url` as the connection test of the admin area does, within `limitMs` in all. */
export const inspectRedis = async (url: string, limitMs = 5_000): Promise<RedisReport> => {
  const { server, steps, failure, version, latencyMs } = await probeRedis(
    { url, password: null },
    { limitMs },
  );
  if (failure !== null) return { server, isUsable: false, reason: failure };
  const warnings = steps.filter(({ status }) => status === "warning").map(({ message }) => message);
  return { server, isUsable: true, version, latencyMs, warnings };
};
