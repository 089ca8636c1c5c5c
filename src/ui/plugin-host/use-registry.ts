import { useEffect, useRef, useSyncExternalStore } from "react";
import type { PluginConfig } from "#api/plugin-host/dispatch/open-plugin.ts";
import { api } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { onPluginsChanged } from "#ui/lib/plugin-changes.ts";
import { loadModule } from "./load-frontend.ts";
import { clearOverlays, createRegistry, type RegistryState, registerOverlay } from "./registry.ts";

/** The registry of this window. */
export const pluginRegistry = createRegistry({
  list: async () => (await client.plugins.list()).data.filter((plugin) => "state" in plugin),
  load: (_, listed) => loadModule(listed),
  configOf: async (id) => (await api.get<PluginConfig>(`/api/${id}/config`)).data.adminPanel,
  onLoaded: ({ id, frontend }, listed) => {
    if (listed?.frontend?.mode === "native" && listed.frontend.overlay) registerOverlay(id, frontend.Overlay);
  },
  onClear: clearOverlays,
  warn: (message, cause) => console.warn(message, ...(cause === undefined ? [] : [cause])),
});

onPluginsChanged(() => void pluginRegistry.refresh());

const { subscribe, getState, initialize } = pluginRegistry;

/** The registry's state, kept up to date; anyone who asks first has it initialized. What was known stays during a refresh. */
export const useRegistry = (): RegistryState => {
  const state = useSyncExternalStore(subscribe, getState, getState);
  const last = useRef(state);
  useEffect(() => {
    if (state.isInitialized) last.current = state;
    else if (!last.current.isInitialized) void initialize();
  }, [state]);
  return state.isInitialized ? state : last.current;
};
