import { Download, Trash2 } from "lucide-react";
import { type ComponentProps, useId } from "react";
import type { Plugin } from "#contract/plugins.ts";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { cn } from "#ui/lib/cn.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { downloadPlugin } from "./api.ts";
import { statusOf } from "./plugin-status.ts";
import { saveBlob } from "./save-blob.ts";
import { pluginListTexts as texts } from "./texts.ts";
import type { PluginToggle } from "./use-plugin-toggle.ts";

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
      saveBlob(await downloadPlugin(plugin.name), `${plugin.name}-plugin.zip`);
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
