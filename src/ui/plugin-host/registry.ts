import { type ComponentType, useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";
import type { Plugin } from "#contract/plugins.ts";
import type { WindowFrontend } from "#plugins/sdk/frontend-types.ts";
import type { AdminPanel } from "#plugins/sdk/types.ts";

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
type RegisteredPlugin = {
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

/** Makes a registry of plugins: empty and uninitialized. */
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
        // A refresh meanwhile has started over.
        if (turn !== round) return store.getState().plugins;
        plugins.set(id, merged);
        sources.onLoaded?.(merged, row);
      }
    } catch (error) {
      sources.warn("the plugins could not be initialized", error);
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
    /** Forgets everything, the server's settings too, and initializes again. */
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

/** A plugin's line in a menu. */
type PluginMenuItem = { id: string; title: string; description: string; path: string; icon: string };

/** A plugin's card on the overview. */
type PluginCard = PluginMenuItem & { color: string; buttonText: string };

const open = "Open";
const plainIcon = "Extension";
const plainColor = "primary";

/** Plugins with a panel: those that are offered in the admin area. None before the registry is initialized. */
const adminPlugins = ({ isInitialized, plugins }: RegistryState): RegisteredPlugin[] =>
  isInitialized ? [...plugins.values()].filter(({ adminPanel }) => adminPanel.enabled) : [];

/** The plugins' lines for menus. */
export const menuItemsOf = (state: RegistryState): PluginMenuItem[] =>
  adminPlugins(state).flatMap((plugin) => {
    const { menuItem } = plugin.adminPanel;
    return menuItem === undefined ? [] : [itemOf(plugin, menuItem)];
  });

/** The plugins' cards. */
export const cardsOf = (state: RegistryState): PluginCard[] =>
  adminPlugins(state).flatMap((plugin) => {
    const { card, menuItem } = plugin.adminPanel;
    if (card === undefined) return [];
    const item = itemOf(plugin, { path: menuItem?.path, ...card });
    return [{ ...item, color: card.color ?? plainColor, buttonText: card.buttonText ?? open }];
  });

type Shown = { title?: string; description?: string; icon?: string; path?: string | undefined };

const itemOf = (
  { id, title }: RegisteredPlugin,
  { title: own, description = "", icon = plainIcon, path }: Shown,
): PluginMenuItem => ({ id, title: own ?? title, description, icon, path: pagePath(id, path) });

const named: readonly string[] = knownPlugins.filter((name) => name !== "licensing");

/** Where a plugin may lead: to its own page and below it. The pages of the admin area itself are none of its. */
const pagePath = (id: string, wanted: string | undefined): string => {
  const own = `/admin/plugins/${id}`;
  if (wanted === undefined || wanted === own || wanted.startsWith(`${own}/`)) return wanted ?? own;
  return named.includes(id) && wanted === `/admin/${id}` ? wanted : own;
};

/** Whose module it is: `id` is the name of the plugin's folder, and the version is known where the server lists it. */
type ExpectedPlugin = { id: string; version?: string | undefined; warn: (message: string) => void };

/**
 * What a plugin's module exports by default, when that has the plugin's name and version; `null`, with a warning, for a
 * module without, or of another plugin or version. A module that is missing altogether is passed over in silence.
 */
export const readPluginModule = (
  module: unknown,
  { id, version, warn }: ExpectedPlugin,
): WindowFrontend | null => {
  if (module === null || module === undefined) return null;
  const plugin = fieldOf(module, "default");
  const told = { name: fieldOf(plugin, "name"), version: fieldOf(plugin, "version") };
  if (!isText(told.name) || !isText(told.version)) {
    warn(`the plugin ${id} was skipped: its module needs a default export with name and version`);
    return null;
  }
  const expected = `${id} ${version ?? told.version}`;
  const found = `${told.name} ${told.version}`;
  if (found === expected) return asFrontend(plugin);
  warn(`the plugin ${id} was skipped: its module says that it is ${found}, which is not ${expected}`);
  return null;
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Its name and version were looked at; the rest is the plugin's own promise, and its failures are caught where it is shown. */
const asFrontend = (plugin: unknown): WindowFrontend => plugin as WindowFrontend;

/** Components that plugins lay over the admin area, by plugin. */
type Overlays = ReadonlyMap<string, ComponentType>;

const none: Overlays = new Map();
const store = createStore<{ overlays: Overlays }>(() => ({ overlays: none }));

/**
 * Lays a plugin's component over the pages, in place of the one it had. Whatever is no component is ignored, with a warning.
 * It is on show immediately: anyone who shows overlays hears of it.
 */
export const registerOverlay = (plugin: string, component: ComponentType | null | undefined): void => {
  if (typeof component !== "function" && (typeof component !== "object" || component === null)) {
    console.warn(`the overlay of ${plugin} was ignored: it has no component`);
    return;
  }
  store.setState(({ overlays }) => ({ overlays: new Map(overlays).set(plugin, component) }));
};

/** Takes all overlays away. */
export const clearOverlays = (): void => store.setState({ overlays: none });

/** The overlays at this moment. */
export const currentOverlays = (): Overlays => store.getState().overlays;

/** Calls `listener` after each change; returns how to stop. */
export const onOverlayChange = (listener: () => void): (() => void) => store.subscribe(listener);

/** {@link currentOverlays}, for components. */
export const useOverlays = (): Overlays => useSyncExternalStore(onOverlayChange, currentOverlays, () => none);
