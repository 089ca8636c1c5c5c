import { knownPlugins, type RegisteredPlugin, type RegistryState } from "./registry.ts";

/** A plugin's line in a menu. */
export type PluginMenuItem = { id: string; title: string; description: string; path: string; icon: string };

/** A plugin's card on the overview. */
export type PluginCard = PluginMenuItem & { color: string; buttonText: string };

const open = "Open";
const plainIcon = "Extension";
const plainColor = "primary";

/** Plugins with a panel: those that are offered in the admin area. None before the registry is initialised. */
export const adminPlugins = ({ isInitialized, plugins }: RegistryState): RegisteredPlugin[] =>
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
