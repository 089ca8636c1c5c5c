import { useEffect, useRef, useState } from "react";
import type { Plugin } from "#contract/plugins.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { activateVersion, type Changed, consentWanted, togglePlugin, type WantedConsent } from "./api.ts";
import { hasFailed } from "./plugin-status.ts";
import { pluginListTexts as texts } from "./texts.ts";

/** A plugin that cannot be enabled before its permissions are granted. */
export type ConsentCase = WantedConsent & { plugin: Plugin };

type Wish = { enabled: boolean; isGranted: boolean };

/**
 * Switches plugins at once and tells the server after: a refusal puts the switch back, success stays until the list that
 * `reload` brings. What asks for permissions first is handed to `onConsent`.
 */
export const usePluginToggle = (
  plugins: readonly Plugin[] | null,
  reload: () => void,
  onConsent: (wanted: ConsentCase) => void,
) => {
  const [wishes, setWishes] = useState<ReadonlyMap<string, Wish>>(new Map());
  const running = useRef(new Set<string>());

  // What the server agreed to is in the list by now.
  useEffect(() => {
    if (plugins === null) return;
    setWishes((now) => new Map([...now].filter(([, { isGranted }]) => !isGranted)));
  }, [plugins]);

  const note = (name: string, wish: Wish | null) =>
    setWishes((now) => {
      const next = new Map(now);
      if (wish === null) next.delete(name);
      else next.set(name, wish);
      return next;
    });

  const attempt = async (plugin: Plugin, enabled: boolean, send: () => Promise<Changed>) => {
    // A second press while the first is under way is the same wish.
    if (running.current.has(plugin.name)) return;
    running.current.add(plugin.name);
    note(plugin.name, { enabled, isGranted: false });
    try {
      const { message, data } = await send();
      // A call that was answered well may have found the plugin as broken as before.
      if (enabled && hasFailed(data)) notify({ tone: "error", message: data.error ?? texts.failedText });
      else notify({ tone: "success", message });
      note(plugin.name, { enabled, isGranted: true });
      reload();
    } catch (error) {
      note(plugin.name, null);
      const wanted = consentWanted(error);
      if (wanted !== null) return onConsent({ ...wanted, plugin });
      notify({ tone: "error", message: failureText(error, texts.toggleFailed) });
      reload();
    } finally {
      running.current.delete(plugin.name);
    }
  };

  return {
    isOn: ({ name, enabled }: Plugin): boolean => wishes.get(name)?.enabled ?? enabled,
    isBusy: ({ name }: Plugin): boolean => wishes.get(name)?.isGranted === false,
    toggle: (plugin: Plugin, enabled: boolean): void =>
      void attempt(plugin, enabled, () => togglePlugin(plugin.name, enabled)),
    /** Starts what stopped by a failure once more. */
    tryAgain: (plugin: Plugin): void =>
      void attempt(plugin, true, () =>
        plugin.enabled ? activateVersion(plugin.name, plugin.version) : togglePlugin(plugin.name, true),
      ),
  };
};

/** How the list's switches stand, and what turns them. */
export type PluginToggle = ReturnType<typeof usePluginToggle>;
