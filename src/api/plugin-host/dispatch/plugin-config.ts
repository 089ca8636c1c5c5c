import type { AdminPanel, Json } from "#plugins/sdk/types.ts";
import type { LivePlugin } from "../live-plugin.ts";

/** What `GET /api/{plugin}/config` answers for a plugin that has no such route itself. */
export type PluginConfig = {
  success: true;
  data: { adminPanel: AdminPanel | null; settings: Readonly<Record<string, Json>> };
};

/** The panel of the manifest, with what the running plugin says of itself over it, and its settings without secrets. */
export const pluginConfig = (
  { manifest, runtime }: LivePlugin,
  settings: Readonly<Record<string, Json>>,
): PluginConfig => ({
  success: true,
  data: { adminPanel: panelOf(manifest.adminPanel, runtime.registration.adminPanel), settings },
});

const panelOf = (built: AdminPanel | null, said: AdminPanel | null): AdminPanel | null => {
  if (said === null) return built;
  const menuItem = { ...built?.menuItem, ...said.menuItem };
  const card = { ...built?.card, ...said.card };
  return {
    enabled: said.enabled,
    ...(Object.keys(menuItem).length > 0 ? { menuItem } : {}),
    ...(Object.keys(card).length > 0 ? { card } : {}),
  };
};
