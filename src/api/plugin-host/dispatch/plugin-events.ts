import type { Happening, Happenings } from "#api/core/events.ts";
import type { EventPayloads, Json } from "#plugins/sdk/types.ts";

/** One listener of a plugin. `run` rejects if the plugin's handler fails. */
type PluginListener = { event: string; run(payload: Json): Promise<unknown> };

/** Delivers events on this server to the plugins that listen to them. */
export type PluginEvents = {
  /** Sets a plugin's listeners, replacing its former ones. */
  open(plugin: string, listeners: readonly PluginListener[], warn: (message: string) => void): void;
  close(plugin: string): void;
  stop(): void;
};

type Listening = {
  listeners: readonly PluginListener[];
  warn: (message: string) => void;
  waiting: number;
  dropped: number;
};

// Events for a slow plugin must not fill memory.
const mostWaiting = 100;

/** Creates it without listeners. */
export const createPluginEvents = (happenings: Happenings): PluginEvents => {
  const plugins = new Map<string, Listening>();

  const deliver = async (to: Listening, listener: PluginListener, payload: Json): Promise<void> => {
    if (to.waiting >= mostWaiting) {
      to.dropped += 1;
      if (to.dropped === 1) to.warn(`It is too slow for ${listener.event}: events are dropped`);
      return;
    }
    to.waiting += 1;
    try {
      await listener.run(payload);
    } catch (error) {
      to.warn(`Its listener for ${listener.event} failed: ${error instanceof Error ? error.message : error}`);
    }
    to.waiting -= 1;
    if (to.waiting === 0) to.dropped = 0;
  };

  const unlisten = happenings.listen((happening) => {
    if (plugins.size === 0) return;
    const payload = payloadOf(happening);
    for (const [name, to] of plugins) {
      // A plugin is not notified of its own state: that would cause another event.
      if (happening.name === "plugin.state" && happening.plugin === name) continue;
      for (const listener of to.listeners)
        if (listener.event === happening.name) void deliver(to, listener, payload);
    }
  });

  return {
    open: (plugin, listeners, warn) => {
      if (listeners.length === 0) plugins.delete(plugin);
      else plugins.set(plugin, { listeners, warn, waiting: 0, dropped: 0 });
    },
    close: (plugin) => void plugins.delete(plugin),
    stop: () => {
      unlisten();
      plugins.clear();
    },
  };
};

const payloadOf = (happening: Happening): EventPayloads[keyof EventPayloads] => {
  if (happening.name === "plugin.state") return { name: happening.plugin, state: happening.state };
  if (happening.name === "settings.changed") return { section: happening.section };
  return { userId: happening.userId };
};
