import type { PluginDoor } from "../runtime.ts";
import type { SiteScript } from "./asset-source.ts";
import { assetPath } from "./frame-document.ts";

/** What running plugins want on every page; it comes and goes with them. */
export type SiteScripts = { door: PluginDoor; list(): SiteScript[] };

/** Keeps the site scripts of plugins that run here and were granted `ui.site`. Nothing is asked of anybody for the list. */
export const createSiteScripts = (): SiteScripts => {
  const scripts = new Map<string, SiteScript>();
  const remove = (name: string): void => void scripts.delete(name);
  return {
    door: {
      open: ({ manifest: { name, frontend }, version, sha256, granted }) => {
        remove(name);
        const isGranted = granted.some((permission) => permission.name === "ui.site");
        if (frontend === null || frontend.site === null || !isGranted) return;
        scripts.set(name, { name, version, script: assetPath(name, sha256.slice(0, 12), frontend.site) });
      },
      suspend: remove,
      close: remove,
    },
    list: () => [...scripts.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
};
