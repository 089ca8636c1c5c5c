import { describeError } from "#api/core/describe-error.ts";
import type { AppEvent, EventBus } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";

export type ClosableEventBus = EventBus & {
  /** Stops listening to others. */
  close(): Promise<void>;
};

/** The bus of a process that has no replicas. */
export const createMemoryEventBus = (log: Log): ClosableEventBus => {
  const listeners = createListeners(log);
  return {
    publish: listeners.tell,
    subscribe: listeners.add,
    isConnected: true,
    close: async () => {},
  };
};

/** Those who subscribed in this process. */
export type Listeners = {
  add: EventBus["subscribe"];
  tell(event: AppEvent): void;
  tellGap(): void;
};

/** Keeps listeners apart: what one throws is logged, and the others still hear the event. */
export const createListeners = (log: Log): Listeners => {
  type Listener = { onEvent: (event: AppEvent) => void; onGap: (() => void) | undefined };
  const all = new Set<Listener>();
  const each = (call: (listener: Listener) => void): void => {
    for (const listener of all) {
      try {
        call(listener);
      } catch (error) {
        log.error("a listener for events failed", { error: describeError(error) });
      }
    }
  };
  return {
    add: (onEvent, onGap) => {
      const listener = { onEvent, onGap };
      all.add(listener);
      return () => void all.delete(listener);
    },
    tell: (event) => each(({ onEvent }) => onEvent(event)),
    tellGap: () => each(({ onGap }) => onGap?.()),
  };
};
