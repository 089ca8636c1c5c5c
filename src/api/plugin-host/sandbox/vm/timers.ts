/** The timers of one interpreter, which knows them by number. */
export type Timers<T> = {
  start(id: number, ms: number, about: T): void;
  stop(id: number): void;
  stopAll(): void;
};

/** `onFire` is called with the timer's number, and what was said of it, when its time has come. */
export const createTimers = <T>(onFire: (id: number, about: T) => void): Timers<T> => {
  const running = new Map<number, NodeJS.Timeout>();
  return {
    start: (id, ms, about) => {
      clearTimeout(running.get(id));
      const timer = setTimeout(() => {
        running.delete(id);
        onFire(id, about);
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
