import type { EventBus } from "#api/core/events.ts";
import type { NativeExtras } from "../runtime.ts";

type Listener = NonNullable<NativeExtras["onSignal"]>;

/** Passes plugins' signals from all servers to those of their plugins that run on this one. */
export type Signals = {
  /** Sets a plugin's listener, replacing its former one; `null` for none. */
  open(plugin: string, listener: Listener | null): void;
  close(plugin: string): void;
  stop(): void;
};

/** Nobody listens yet. `failed` hears of a listener that throws. */
export const createSignals = (
  events: Pick<EventBus, "subscribe">,
  failed: (plugin: string, error: unknown) => void,
): Signals => {
  const listeners = new Map<string, Listener>();
  const tell = (plugin: string, topic: string | null): void => {
    try {
      listeners.get(plugin)?.(topic);
    } catch (error) {
      failed(plugin, error);
    }
  };
  const stop = events.subscribe(
    (event) => {
      if (event.type === "plugin-signal") tell(event.plugin, event.topic);
    },
    () => {
      for (const plugin of listeners.keys()) tell(plugin, null);
    },
  );
  return {
    open: (plugin, listener) => {
      if (listener === null) listeners.delete(plugin);
      else listeners.set(plugin, listener);
    },
    close: (plugin) => void listeners.delete(plugin),
    stop,
  };
};
