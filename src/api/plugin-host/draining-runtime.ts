import type { PluginRuntime } from "./runtime.ts";

/** A runtime that knows how many calls are under way in it. */
export type DrainingRuntime = PluginRuntime & {
  /** Resolves when no call is under way any more, or after `limitMs`. */
  drained(limitMs: number): Promise<void>;
};

/** Counts the calls of a runtime. */
export const drainingRuntime = (runtime: PluginRuntime): DrainingRuntime => {
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
      return runtime.invoke(handler, payload).finally(leave);
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
