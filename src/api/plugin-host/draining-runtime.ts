import type { PluginRuntime } from "./runtime.ts";

/** A runtime that knows how many calls are under way in it. */
export type DrainingRuntime = PluginRuntime & {
  /** Resolves when no call is under way any more, or after `limitMs`. */
  drained(limitMs: number): Promise<void>;
};

/** Counts the calls of a runtime; `begin` is told of each one, and what it gives back of how it ended. */
export const drainingRuntime = (
  runtime: PluginRuntime,
  begin: () => ((hasFailed: boolean) => void) | null = () => null,
): DrainingRuntime => {
  let underWay = 0;
  let tell = (): void => {};
  const leave = (): void => {
    underWay -= 1;
    if (underWay === 0) tell();
  };
  return {
    registration: runtime.registration,
    isolation: runtime.isolation,
    ...(runtime.extras === undefined ? {} : { extras: runtime.extras }),
    memoryBytes: () => runtime.memoryBytes(),
    invoke: (handler, payload) => {
      underWay += 1;
      const end = begin();
      const answered = runtime.invoke(handler, payload).finally(leave);
      if (end !== null) {
        answered.then(
          () => end(false),
          () => end(true),
        );
      }
      return answered;
    },
    setSettings: (settings) => runtime.setSettings(settings),
    health: () => runtime.health(),
    migrate: (from) => runtime.migrate(from),
    stop: (reason) => runtime.stop(reason),
    drained: (limitMs) =>
      new Promise((resolve) => {
        if (underWay === 0) {
          resolve();
          return;
        }
        const timer = setTimeout(resolve, limitMs);
        tell = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};
