import type { SiteApi } from "#plugins/sdk/frontend-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { prefetchPage } from "../prefetch.ts";
import { fillSlot } from "./slots.ts";

// The router tells of the last two.
const moves = ["popstate", "pushState", "replaceState"];

/** What a plugin's site script gets, and the way to take back all that it did through it. */
export const createSiteApi = (plugin: SiteApi["plugin"]): { api: SiteApi; end: () => void } => {
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
      // Nobody is there any more to hear that it failed.
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
