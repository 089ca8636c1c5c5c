import { useEffect, useRef, useSyncExternalStore } from "react";
import type { PluginConfig } from "#api/plugin-host/dispatch/open-plugin.ts";
import type { Plugin } from "#contract/plugins.ts";
import { api, client } from "../lib/api.ts";
import { onPluginsChanged } from "../lib/plugin-changes.ts";
import { clearOverlays, createRegistry, type RegistryState, registerOverlay } from "./registry.ts";

/** Whether this document tells browsers where the names lead that plugins import: those of the admin area do. */
const hasImportMap = (): boolean => document.querySelector('script[type="importmap"]') !== null;

/**
 * Loads the document again where it is not one of the admin area: who came from a page of the site has one that neither knows
 * plugins' imports nor may hold frames. `false` when it is one.
 */
export const leaveSiteDocument = (): boolean => {
  if (hasImportMap()) return false;
  const [loaded] = performance.getEntriesByType("navigation");
  // Loaded from this very address it would only come again as it is.
  if (loaded !== undefined && new URL(loaded.name).pathname === location.pathname) return false;
  location.reload();
  return true;
};

/** Loads the script of a frontend into this window: for what is trusted with that alone. */
export const importFrontend = async (script: string): Promise<unknown> => {
  const { shareModules } = await import("./shared-modules.ts");
  shareModules();
  return import(/* @vite-ignore */ script);
};

/**
 * What the registry takes for a plugin's module: the frontend itself where it is to be over every page of this window, else
 * what the server knows of the plugin; its script comes when its page is opened. `null` for one that is off, or not there.
 */
const loadModule = async (listed: Plugin | undefined): Promise<unknown> => {
  if (listed?.enabled !== true) return null;
  const { name, version, adminPanel, frontend } = listed;
  if (frontend?.mode === "native" && frontend.overlay && hasImportMap())
    return importFrontend(frontend.script);
  return { default: { name, version, ...(adminPanel === null ? {} : { adminPanel }) } };
};

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
