import type { DesiredPlugin } from "./host-store.ts";
import type { PluginInstance } from "./plugin-instance.ts";
import { runsAs } from "./plugin-order.ts";

/** A place for an instance that was started before it is wanted. */
export type ReadyInstance = {
  /** Keeps it for half a minute, in the place of another. */
  put(instance: PluginInstance): void;
  /** The instance if it is what is wanted and runs still; one that is something else is ended. */
  take(target: DesiredPlugin): PluginInstance | null;
  readonly isThere: boolean;
  clear(): void;
};

const keptMs = 30_000;

/** Begins empty; `end` gets what is not used. */
export const createReadyInstance = (end: (instance: PluginInstance) => void): ReadyInstance => {
  let kept: PluginInstance | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const empty = (): PluginInstance | null => {
    const former = kept;
    kept = null;
    clearTimeout(timer);
    return former;
  };
  const clear = (): void => {
    const former = empty();
    if (former !== null) end(former);
  };

  return {
    put: (instance) => {
      clear();
      kept = instance;
      timer = setTimeout(clear, keptMs);
    },
    take: (target) => {
      const former = empty();
      if (former !== null && !former.isGone && runsAs(former, target)) return former;
      if (former !== null) end(former);
      return null;
    },
    get isThere() {
      return kept !== null;
    },
    clear,
  };
};
