import type { SiteApi, SiteFrontend } from "#plugins/sdk/frontend-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { prefetchPage } from "../routes.tsx";
import { fillSlot } from "./slots.tsx";

/** A plugin's script for every page, as the server lists it: `script` is its address. */
export type ListedScript = { name: string; version: string; script: string };

type Import = (script: string) => Promise<unknown>;

const importScript: Import = (script) => import(/* @vite-ignore */ script);

const running = new Map<string, () => void>();

/**
 * Runs what is listed, each once, and stops what is not listed any more. A script that fails, or is not that of the plugin
 * that it is listed for, is passed over with a warning.
 */
export const runSiteScripts = async (
  listed: readonly ListedScript[],
  load: Import = importScript,
): Promise<void> => {
  for (const [script, stop] of running) {
    if (listed.some((other) => other.script === script)) continue;
    running.delete(script);
    tolerate(script, stop);
  }
  for (const { name, version, script } of listed) {
    if (running.has(script)) continue;
    const { api, end } = createSiteApi({ name, version });
    running.set(script, end);
    try {
      const { default: plugin } = asModule(await load(script));
      // It may have been switched off while it was loaded.
      if (running.get(script) !== end) continue;
      if (plugin?.name !== name || plugin.version !== version)
        throw new Error("its default export needs the manifest's name and version");
      const stop = plugin.start(api);
      running.set(script, () => {
        end();
        stop?.();
      });
    } catch (error) {
      console.warn(`the site script of ${name} was passed over`, error);
    }
  }
};

const tolerate = (script: string, act: () => void): void => {
  try {
    act();
  } catch (error) {
    console.warn(`${script} did not stop well`, error);
  }
};

/** What a module says of itself is looked at where it is used. */
const asModule = (module: unknown): { default?: SiteFrontend } => module as { default?: SiteFrontend };

// The router tells of the last two.
const moves = ["popstate", "pushState", "replaceState"];

/** What a plugin's site script gets, and the way to take back all that it did through it. */
const createSiteApi = (plugin: SiteApi["plugin"]): { api: SiteApi; end: () => void } => {
  const undo = new Set<() => void>();
  let hasEnded = false;
  // An answer that the script waited for may come after its end.
  const undone = (stop: () => void) => {
    if (hasEnded) stop();
    else undo.add(stop);
    return stop;
  };
  const call = (path: string, request: RequestInit): Promise<Response> =>
    fetch(`/api/${plugin.name}${path}`, { ...request, credentials: "omit" });
  const api: SiteApi = {
    plugin,
    path: () => location.pathname,
    onNavigate: (listener) => {
      let shown = location.pathname;
      const look = () => {
        if (location.pathname === shown) return;
        shown = location.pathname;
        listener(shown);
      };
      for (const move of moves) window.addEventListener(move, look);
      return undone(() => {
        for (const move of moves) window.removeEventListener(move, look);
      });
    },
    fillSlot: (name, content) => undone(fillSlot(name, content)),
    prefetch: prefetchPage,
    send: (path, json) => {
      const headers = { "content-type": "application/json" };
      // No one is there any more to hear that it failed.
      call(path, { method: "POST", headers, body: JSON.stringify(json), keepalive: true }).catch(() => {});
    },
    get: async (path) => {
      const response = await call(path, {});
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
      const json: Json = await response.json();
      return json;
    },
  };
  const end = () => {
    hasEnded = true;
    for (const stop of undo) stop();
  };
  return { api, end };
};
