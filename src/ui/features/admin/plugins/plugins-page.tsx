import { RefreshCw, Upload } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Plugin } from "#contract/plugins.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { cn } from "#ui/lib/cn.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { PageHeader } from "../page-header.tsx";
import { SafeModeBanner } from "../safe-mode-banner.tsx";
import { TabLinks } from "../tab-links.tsx";
import { listPlugins } from "./api.ts";
import { EnableSheet } from "./consent/enable-sheet.tsx";
import { ReviewSheet } from "./consent/review-sheet.tsx";
import { DeletePluginDialog } from "./delete-plugin-dialog.tsx";
import { DropCurtain } from "./drop-curtain.tsx";
import { KeysSection } from "./keys/keys-section.tsx";
import { pluginAddress, readPluginQuery } from "./plugin-query.ts";
import { isOnItsWay } from "./plugin-status.ts";
import { PluginsSection } from "./plugins-section.tsx";
import { pluginListTexts as texts } from "./texts.ts";
import { UploadDialog } from "./upload/upload-dialog.tsx";
import { useDropTarget } from "./use-drop-target.ts";
import { type ConsentCase, usePluginToggle } from "./use-plugin-toggle.ts";

const restingMs = 30_000;
const movingMs = 2_000;

/** What is open above the list. */
type Opened =
  | { kind: "upload"; file: File | null }
  | { kind: "consent"; wanted: ConsentCase }
  | { kind: "review" | "delete"; plugin: Plugin };

/** The plugins and what can be done about them, and the keys that vouch for them; a package dropped anywhere is taken. */
export const AdminPluginsPage = () => {
  const [params] = useSearchParams();
  const query = readPluginQuery(params);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [pace, setPace] = useState(restingMs);
  const loaded = useLoad(listPluginsSorted, pace);
  const { data: plugins, isLoading, reload } = loaded;
  // Some states pass by themselves: they are looked at more often until they have.
  const due = plugins?.some(isOnItsWay) === true ? movingMs : restingMs;
  if (due !== pace) setPace(due);
  const toggle = usePluginToggle(plugins, reload, (wanted) => setOpened({ kind: "consent", wanted }));
  const isDragging = useDropTarget((file) => setOpened({ kind: "upload", file }));
  const close = () => setOpened(null);
  const done = { onClose: close, onChange: reload };
  return (
    <div className="grid gap-6">
      <PageHeader
        title={texts.title}
        lead={texts.lead}
        actions={
          <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
            <Button variant="outline" aria-busy={isLoading} onClick={reload}>
              <RefreshCw aria-hidden="true" className={cn(isLoading && "motion-safe:animate-spin")} />
              {texts.refresh}
            </Button>
            <Button onClick={() => setOpened({ kind: "upload", file: null })}>
              <Upload aria-hidden="true" />
              {texts.upload}
            </Button>
          </div>
        }
      />
      <SafeModeBanner />
      <TabLinks
        label={texts.which}
        tabs={texts.tabs}
        current={query.tab}
        addressOf={(tab) => pluginAddress({ tab })}
      />
      {query.tab === "plugins" ? (
        <PluginsSection
          loaded={loaded}
          show={query.show}
          toggle={toggle}
          onDelete={(plugin) => setOpened({ kind: "delete", plugin })}
          onReview={(plugin) => setOpened({ kind: "review", plugin })}
          onUpload={() => setOpened({ kind: "upload", file: null })}
        />
      ) : (
        <KeysSection plugins={plugins ?? []} onChange={reload} />
      )}
      {opened?.kind === "upload" && (
        <UploadDialog
          // Another file dropped meanwhile is another upload.
          key={`${opened.file?.name} ${opened.file?.lastModified}`}
          {...done}
          file={opened.file}
          onEnable={(plugin) => toggle.toggle(plugin, true)}
          onReview={(plugin) => setOpened({ kind: "review", plugin })}
        />
      )}
      {opened?.kind === "consent" && <EnableSheet {...done} {...opened.wanted} />}
      {opened?.kind === "review" && <ReviewSheet {...done} plugin={opened.plugin} />}
      {opened?.kind === "delete" && (
        <DeletePluginDialog {...done} plugin={opened.plugin} plugins={plugins ?? []} />
      )}
      {isDragging && <DropCurtain />}
    </div>
  );
};

const listPluginsSorted = async (): Promise<Plugin[]> =>
  (await listPlugins()).toSorted((a, b) => a.title.localeCompare(b.title));
