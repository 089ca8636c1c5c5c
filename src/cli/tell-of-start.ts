import type { Log } from "#api/core/log.ts";

const everyMs = 10_000;

/**
 * Logs that a start goes on, every ten seconds until the returned function is called: on a busy machine, a first start can
 * take minutes. `step` says what is being waited for at the moment.
 */
export const tellOfStart = (log: Pick<Log, "info">, step: () => string, pauseMs = everyMs): (() => void) => {
  const startedAt = performance.now();
  const timer = setInterval(
    () =>
      log.info("still starting", {
        step: step(),
        seconds: Math.round((performance.now() - startedAt) / 1_000),
      }),
    pauseMs,
  );
  return () => clearInterval(timer);
};
