/** A map of bounded size that forgets what was set longest ago. */
export type RecentMap<T> = {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  readonly size: number;
};

/**
 * Holds `most` entries at most, the latest half of them for sure. It forgets in two generations: taking the oldest entry
 * out of a `Map` one by one takes ever longer, because its iterators walk over what was deleted before.
 */
export const createRecentMap = <T>(most: number): RecentMap<T> => {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set: (key, value) => {
      old.delete(key);
      young.set(key, value);
      if (young.size < most / 2) return;
      old = young;
      young = new Map();
    },
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
};
