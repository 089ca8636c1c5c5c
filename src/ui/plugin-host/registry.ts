import { createStore } from "zustand/vanilla";
import type { Plugin } from "#contract/plugins.ts";
import type { WindowFrontend } from "#plugins/sdk/frontend-types.ts";
import type { AdminPanel } from "#plugins/sdk/types.ts";
import { readPluginModule } from "./read-plugin-module.ts";

/** Plugins that are looked for even where the server does not list them. */
export const knownPlugins = [
  "firewall",
  "web-performance-optimization",
  "plugin-template",
  "licensing",
] as const;

// Only its settings reach beyond what the list of plugins tells.
const configured: readonly string[] = ["firewall"];

/** A plugin in the registry: `id` is the name of its folder. */
export type RegisteredPlugin = {
  id: string;
  name: string;
  version: string;
  title: string;
  /** What it was built with. */
  builtPanel: AdminPanel | null;
  /** That with the server's word over it. */
  adminPanel: AdminPanel;
  frontend: WindowFrontend;
};

/** Where the registry gets what it knows. */
type RegistrySources = {
  /** The plugins that the server has. */
  list(): Promise<Plugin[]>;
  /** The module of a plugin; `null` where it has none, or is off. */
  load(id: string, listed: Plugin | undefined): Promise<unknown>;
  /** What the server's configuration of a plugin says of its panel; rejects when it cannot be had. */
  configOf(id: string): Promise<Partial<AdminPanel> | null>;
  /** Called with what was loaded, and before all of it goes. */
  onLoaded?(plugin: RegisteredPlugin, listed: Plugin | undefined): void;
  onClear?(): void;
  warn(message: string, cause?: unknown): void;
};

/** What the registry holds. `listed` is how many plugins are installed, those that are off among them. */
export type RegistryState = {
  isInitialized: boolean;
  plugins: ReadonlyMap<string, RegisteredPlugin>;
  serverSettings: ReadonlyMap<string, Partial<AdminPanel>>;
  listed: number;
};

const empty: RegistryState = {
  isInitialized: false,
  plugins: new Map(),
  serverSettings: new Map(),
  listed: 0,
};

/** How far the registry is. A plugin that cannot be loaded is passed over, so none counts as failed. */
type RegistryStatus = {
  total: number;
  loaded: number;
  failed: 0;
  isComplete: boolean;
  initialized: boolean;
};

/** Makes a registry of plugins: empty and uninitialised. */
export const createRegistry = (sources: RegistrySources) => {
  const store = createStore<RegistryState>(() => empty);
  let running: Promise<RegistryState["plugins"]> | null = null;
  let round = 0;

  const listPlugins = async (): Promise<Plugin[]> => {
    try {
      return await sources.list();
    } catch (error) {
      sources.warn("the list of plugins could not be loaded", error);
      return [];
    }
  };

  const readConfig = async (id: string): Promise<Partial<AdminPanel> | null> => {
    if (!configured.includes(id)) return null;
    try {
      return await sources.configOf(id);
    } catch (error) {
      // What it was built with stays.
      sources.warn(`the configuration of ${id} could not be loaded`, error);
      return null;
    }
  };

  const loadPlugin = async (id: string, listed: Plugin | undefined): Promise<RegisteredPlugin | null> => {
    let module: unknown;
    try {
      module = await sources.load(id, listed);
    } catch (error) {
      sources.warn(`the plugin ${id} could not be loaded`, error);
      return null;
    }
    const frontend = readPluginModule(module, {
      ...{ id, version: listed?.version },
      warn: (message) => sources.warn(message),
    });
    if (frontend === null) return null;
    const builtPanel = frontend.adminPanel ?? listed?.adminPanel ?? null;
    const { name, version } = frontend;
    const title = listed?.title ?? name;
    return { id, name, version, title, builtPanel, adminPanel: mergeAdminPanel(builtPanel, null), frontend };
  };

  const fill = async (turn: number): Promise<RegistryState["plugins"]> => {
    const plugins = new Map<string, RegisteredPlugin>();
    const serverSettings = new Map<string, Partial<AdminPanel>>();
    let listed: Plugin[] = [];
    try {
      listed = await listPlugins();
      for (const id of new Set([...knownPlugins, ...listed.map(({ name }) => name)])) {
        const row = listed.find(({ name }) => name === id);
        const plugin = await loadPlugin(id, row);
        if (plugin === null) continue;
        const config = await readConfig(id);
        if (config !== null) serverSettings.set(id, config);
        const merged = { ...plugin, adminPanel: mergeAdminPanel(plugin.builtPanel, config) };
        // A refresh meanwhile has begun anew.
        if (turn !== round) return store.getState().plugins;
        plugins.set(id, merged);
        sources.onLoaded?.(merged, row);
      }
    } catch (error) {
      sources.warn("the plugins could not be initialised", error);
      plugins.clear();
    }
    if (turn === round)
      store.setState({ isInitialized: true, plugins, serverSettings, listed: listed.length }, true);
    return store.getState().plugins;
  };

  const initialize = (): Promise<RegistryState["plugins"]> => {
    const { isInitialized, plugins } = store.getState();
    if (isInitialized) return Promise.resolve(plugins);
    const turn = round;
    running ??= fill(turn).finally(() => {
      if (turn === round) running = null;
    });
    return running;
  };

  const refresh = (): Promise<RegistryState["plugins"]> => {
    round += 1;
    running = null;
    sources.onClear?.();
    store.setState(empty, true);
    return initialize();
  };

  const refreshSettings = async (): Promise<void> => {
    const turn = round;
    const plugins = new Map(store.getState().plugins);
    const serverSettings = new Map(store.getState().serverSettings);
    for (const [id, plugin] of plugins) {
      const config = await readConfig(id);
      if (config === null) continue;
      serverSettings.set(id, config);
      plugins.set(id, { ...plugin, adminPanel: mergeAdminPanel(plugin.builtPanel, config) });
    }
    if (turn === round) store.setState({ plugins, serverSettings });
  };

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    /** Tries each known plugin in turn; once that was done, it gives back what there is. */
    initialize,
    /** Forgets everything, the server's settings too, and initialises again. */
    refresh,
    /** Asks for the server's settings of the loaded plugins again. */
    refreshSettings,
    /** How far it is. */
    status: (): RegistryStatus => {
      const { isInitialized, plugins } = store.getState();
      const { size } = plugins;
      return {
        total: size,
        loaded: size,
        failed: 0,
        isComplete: isInitialized,
        initialized: isInitialized,
      };
    },
  };
};

/**
 * What the server says of a plugin's panel over what the plugin was built with: `enabled` wins if it is set, menu item and
 * card field by field.
 */
const mergeAdminPanel = (
  built: AdminPanel | null | undefined,
  server: Partial<AdminPanel> | null | undefined,
): AdminPanel => {
  const menuItem = over(built?.menuItem, server?.menuItem);
  const card = over(built?.card, server?.card);
  return {
    enabled: server?.enabled ?? built?.enabled ?? false,
    ...(menuItem === undefined ? {} : { menuItem }),
    ...(card === undefined ? {} : { card }),
  };
};

const over = <T extends object>(
  built: T | null | undefined,
  server: T | null | undefined,
): T | Partial<T> | undefined => {
  if (!built && !server) return undefined;
  const merged: Partial<T> = { ...built };
  for (const name of keysOf(server ?? {})) {
    const value = server?.[name];
    if (value !== undefined && value !== null) merged[name] = value;
  }
  return merged;
};

// Object.keys forgets the type of its keys; these are the object's own.
const keysOf = <T extends object>(value: Partial<T>) => Object.keys(value) as (keyof T)[];
