import { Download, Trash2 } from "lucide-react";
import { type ComponentProps, useEffect, useId, useRef, useState } from "react";
import type { Plugin } from "#contract/plugins.ts";
import { saveFile } from "#ui/components/download-link.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import {
  activateVersion,
  type Changed,
  consentWanted,
  downloadPlugin,
  togglePlugin,
  type WantedConsent,
} from "./api.ts";
import {
  couldNotStart,
  hasFailed,
  notableState,
  statusOf,
  pluginListTexts as texts,
} from "./plugin-status.ts";

type PluginActionsProps = {
  plugin: Plugin;
  toggle: PluginToggle;
  onDelete: () => void /** Side by side on phones too. */;
  isInline?: boolean;
};

/** What can be done about a plugin from the list. What is refused says why, and keeps the focus so that it can be heard. */
export const PluginActions = ({ plugin, toggle, onDelete, isInline = false }: PluginActionsProps) => {
  const id = useId();
  const isOn = toggle.isOn(plugin);
  const lock = lockOf(plugin, isOn);
  const downloading = useAct(async () => {
    try {
      saveFile(`${plugin.name}-plugin.zip`, await downloadPlugin(plugin.name));
      notify({ tone: "success", message: texts.downloaded(plugin.name) });
    } catch (error) {
      notify({ tone: "error", message: failureText(error, texts.downloadFailed) });
    }
  });
  return (
    <div
      className={cn(
        "relative z-1 flex items-center justify-end gap-1",
        !isInline && "max-sm:ml-auto max-sm:w-22 max-sm:flex-wrap max-sm:gap-0",
      )}
    >
      <Switch
        aria-label={texts.toggle(plugin.title)}
        aria-describedby={lock === null ? undefined : id}
        aria-disabled={lock !== null || undefined}
        aria-busy={toggle.isBusy(plugin) || undefined}
        title={lock ?? undefined}
        checked={isOn}
        onClick={(event) => lock !== null && event.preventDefault()}
        onCheckedChange={(enabled) => toggle.toggle(plugin, enabled)}
        className={cn(
          "mr-1 aria-disabled:cursor-not-allowed aria-disabled:opacity-55",
          !isInline && "max-sm:mx-6 max-sm:my-2.5",
        )}
      />
      {lock !== null && (
        <span id={id} className="sr-only">
          {lock}
        </span>
      )}
      <IconButton
        label={texts.download(plugin.title)}
        aria-disabled={downloading.isBusy || undefined}
        onClick={downloading.act}
      >
        {downloading.isBusy ? <Spinner /> : <Download aria-hidden="true" />}
      </IconButton>
      <IconButton
        label={texts.remove(plugin.title)}
        reason={plugin.core ? texts.coreLocked : undefined}
        onClick={onDelete}
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
    </div>
  );
};

const licensing = "licensing";

const lockOf = (plugin: Plugin, isOn: boolean): string | null => {
  if (statusOf(plugin, isOn) === "missing") return texts.missingLocked;
  return plugin.name === licensing && isOn ? texts.licensingLocked : null;
};

type IconButtonProps = ComponentProps<"button"> & {
  label: string;
  /** Why it cannot be pressed. */
  reason?: string | undefined;
};

const IconButton = ({ label, reason, onClick, ...props }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    aria-description={reason}
    aria-disabled={reason !== undefined || undefined}
    title={reason ?? label}
    onClick={(event) => reason === undefined && onClick?.(event)}
    className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:bg-accent hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-disabled:cursor-not-allowed aria-disabled:opacity-45 md:size-8 [&_svg]:size-4"
    {...props}
  />
);

/** A plugin that cannot be enabled before its permissions are granted. */
export type ConsentCase = WantedConsent & { plugin: Plugin };

type Wish = { enabled: boolean; isGranted: boolean };

/**
 * Switches plugins immediately and tells the server after: a refusal puts the switch back, success stays until the list that
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
    /** Starts what stopped by a failure again. */
    tryAgain: (plugin: Plugin): void =>
      void attempt(plugin, true, () =>
        plugin.enabled ? activateVersion(plugin.name, plugin.version) : togglePlugin(plugin.name, true),
      ),
  };
};

/** How the list's switches stand, and what turns them. */
export type PluginToggle = ReturnType<typeof usePluginToggle>;

/** Whether a plugin is on, and what else is worth knowing of how it stands. */
export const PluginMarks = ({ plugin, isOn }: { plugin: Plugin; isOn: boolean }) => {
  const status = statusOf(plugin, isOn);
  const state = notableState(plugin);
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={status === "enabled" ? "success" : "neutral"}>{texts.statuses[status]}</Badge>
      {state !== null && <Badge tone={hasFailed(plugin) ? "danger" : "warning"}>{texts.states[state]}</Badge>}
      {couldNotStart(plugin) && !isOn && <Badge tone="danger">{texts.couldNotStart}</Badge>}
      {plugin.signature.state === "modified" && <Badge tone="danger">{texts.modified}</Badge>}
    </span>
  );
};

/** What a plugin is made of, in words. */
export const componentsOf = ({ backendExists, frontendExists }: Plugin): string =>
  [backendExists && texts.components.backend, frontendExists && texts.components.frontend]
    .filter(Boolean)
    .join(", ") || texts.noComponents;
