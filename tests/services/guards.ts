import { createAttemptGuard } from "#api/adapters/attempt-guard/attempt-guard.ts";
import { createRedisLink } from "#api/adapters/redis/redis-link.ts";
import { systemClock } from "#api/core/clock.ts";
import type { AttemptGuard } from "#api/core/context.ts";
import { createRecordingLog, type RecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";

/** A guard as one process has it, with its own link to Redis. */
export type OpenGuard = {
  guard: AttemptGuard;
  log: RecordingLog;
  /** How Redis was found to be, from first to last: `in use`, or why not. */
  states(): string[];
  /** Resolves when Redis is in use, to the time that it took in milliseconds. */
  isUp(): Promise<number>;
  close(): Promise<void>;
};

/** Opens a guard that counts at `redisUrl` as soon as it is reached. All of them share their secret. */
export const openGuard = (redisUrl: string): OpenGuard => {
  const log = createRecordingLog();
  const link = createRedisLink({ clock: systemClock, log });
  const secret = new TextEncoder().encode("the secret that all of these share");
  const guard = createAttemptGuard({ clock: systemClock, link, secret });
  link.use({ url: redisUrl, password: null, source: "environment" });
  const states = () =>
    log.entries.map(({ message, fields }) =>
      message === "Redis is in use" ? "in use" : String(fields?.reason ?? message),
    );
  return {
    ...{ guard, log, states },
    isUp: () => until(() => states().at(-1) === "in use"),
    close: async () => {
      await guard.close();
      await link.close();
    },
  };
};
