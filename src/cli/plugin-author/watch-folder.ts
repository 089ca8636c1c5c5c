import { watch } from "node:fs";

/** The changes in a folder, one after the other. */
export type Changes = {
  /** Resolves once something was changed since the last time, and it has been quiet for a moment; or at the end. */
  next(): Promise<void>;
};

// An editor writes a file in several steps, and several files at once.
const quietMs = 50;

/** Watches a folder and what is below it until `ended`; `isWanted` tells by a path below it what counts. */
export const watchFolder = (
  folder: string,
  { ended, isWanted }: { ended: AbortSignal; isWanted: (path: string) => boolean },
): Changes => {
  let changed = Promise.withResolvers<void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watcher = watch(folder, { recursive: true }, (_, path) => {
    if (!path || !isWanted(path.replaceAll("\\", "/"))) return;
    clearTimeout(timer);
    timer = setTimeout(() => changed.resolve(), quietMs);
  });
  ended.addEventListener("abort", () => {
    clearTimeout(timer);
    watcher.close();
    changed.resolve();
  });
  return {
    next: async () => {
      await changed.promise;
      if (!ended.aborted) changed = Promise.withResolvers<void>();
    },
  };
};
