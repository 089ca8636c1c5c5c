import type { AdminPanel } from "#plugins/sdk/types.ts";
import { api } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { onPluginsChanged } from "#ui/lib/plugin-changes.ts";
import { loadModule } from "./load-frontend.ts";
import { clearOverlays, registerOverlay } from "./overlays.ts";
import { createRegistry } from "./registry.ts";

/** The registry of this window. */
export const pluginRegistry = createRegistry({
  list: async () => (await client.plugins.list()).data.filter((plugin) => "state" in plugin),
  load: (_, listed) => loadModule(listed),
  configOf: async (id) =>
    (await api.get<{ data: { adminPanel?: AdminPanel } }>(`/api/${id}/config`)).data.adminPanel ?? null,
  onLoaded: ({ id, frontend }, listed) => {
    if (listed?.frontend?.mode === "native" && listed.frontend.overlay) registerOverlay(id, frontend.Overlay);
  },
  onClear: clearOverlays,
  warn: (message, cause) => console.warn(message, ...(cause === undefined ? [] : [cause])),
});

onPluginsChanged(() => void pluginRegistry.refresh());
