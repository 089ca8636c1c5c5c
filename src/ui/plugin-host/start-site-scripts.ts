import { onPluginsChanged } from "#ui/lib/plugin-changes.ts";

/**
 * Asks for the scripts that plugins want on every page, once the page answers to its reader and the browser has nothing better
 * to do, and has them run. One request for each document; whatever fails costs the page nothing.
 */
export const startSiteScripts = (): void => {
  let hasRun = false;
  let asked = 0;
  const ask = async (cache: RequestCache): Promise<void> => {
    asked += 1;
    const turn = asked;
    try {
      const response = await fetch("/api/plugins/site-scripts", { cache, credentials: "omit" });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const { data } = await response.json();
      // A list that was asked for before a change, and comes after it, is out of date.
      if (turn !== asked || (data.length === 0 && !hasRun)) return;
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
