import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { ClosableAttemptGuard } from "./attempts.ts";
import { createMemoryAttemptGuard } from "./memory-attempt-guard.ts";
import { createRedisAttemptGuard } from "./redis-attempt-guard.ts";

/** Without a `redisUrl` attempts are counted in this process alone. */
export type AttemptGuardOptions = { clock: Clock; log: Log; redisUrl: string | null };

/** The guard that fits the configuration. It is ready at once: nothing waits for Redis. */
export const createAttemptGuard = ({ clock, log, redisUrl }: AttemptGuardOptions): ClosableAttemptGuard =>
  redisUrl === null
    ? { ...createMemoryAttemptGuard({ clock }), close: async () => {} }
    : createRedisAttemptGuard({ clock, log, redisUrl });
