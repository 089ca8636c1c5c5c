/** The timers of one interpreter, which knows them by number. */
export type Timers = {
  start(id: number, ms: number): void;
  stop(id: number): void;
  stopAll(): void;
};

/** `onFire` is called with the timer's number when its time has come. */
export const createTimers = (onFire: (id: number) => void): Timers => {
  const running = new Map<number, NodeJS.Timeout>();
  return {
    start: (id, ms) => {
      clearTimeout(running.get(id));
      const timer = setTimeout(() => {
        running.delete(id);
        onFire(id);
      }, ms);
      running.set(id, timer);
    },
    stop: (id) => {
      clearTimeout(running.get(id));
      running.delete(id);
    },
    stopAll: () => {
      for (const timer of running.values()) clearTimeout(timer);
      running.clear();
    },
  };
};
