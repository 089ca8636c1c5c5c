import { createRateLimiter } from "#api/adapters/rate-limit/create-rate-limiter.ts";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { createRedisLink, type RedisLink } from "#api/adapters/redis/redis-link.ts";
import { type Clock, systemClock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";

/** A limiter as one process has it, with its own link to Redis. */
export type LinkedLimiter = { limiter: RateLimiter; link: RedisLink };

export type LinkedLimiterOptions = { url: string; clock?: Clock; log?: Log };

/** Opens a limiter that counts at `url` as soon as it is reached. All of them share their secret. */
export const openLimiter = ({
  url,
  clock = systemClock,
  log = createRecordingLog(),
}: LinkedLimiterOptions): LinkedLimiter => {
  const link = createRedisLink({ clock: systemClock, log });
  const secret = new TextEncoder().encode("the secret that all of these share");
  const limiter = createRateLimiter({ clock, link, secret });
  const { username, password, host, pathname } = new URL(url);
  link.use({
    url: `redis://${username === "" ? "" : `${username}@`}${host}${pathname}`,
    password: decodeURIComponent(password),
    source: "environment",
  });
  return { limiter, link };
};
