import type { SiteFrontend } from "#plugins/sdk/frontend-types.ts";
import { createSiteApi } from "./site-api.ts";

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
