import { onPluginsChanged } from "#ui/lib/plugin-changes.ts";

/**
 * Asks for the scripts that plugins want on every page, once the page answers to its reader and the browser has nothing better
 * to do, and has them run. One request for each document; whatever fails costs the page nothing.
 */
export const startSiteScripts = (): void => {
  let hasRun = false;
  const ask = async (cache: RequestCache): Promise<void> => {
    try {
      const response = await fetch("/api/plugins/site-scripts", { cache, credentials: "omit" });
      const { data } = await response.json();
      if (data.length === 0 && !hasRun) return;
      hasRun = true;
      const { runSiteScripts } = await import("./site-scripts.ts");
      await runSiteScripts(data);
    } catch (error) {
      console.warn("the scripts of plugins could not be loaded", error);
    }
  };
  // Safari has no idle callback.
  (window.requestIdleCallback ?? setTimeout)(() => void ask("default"));
  onPluginsChanged(() => void ask("reload"));
};
