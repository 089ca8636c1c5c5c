import { Puzzle, RefreshCw, Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Plugin } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { type Column, DataTable } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { type Loaded, useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { formatCount } from "../format.ts";
import { EmptyList, KeepFocus } from "../list-parts.tsx";
import { PageHeader, SafeModeBanner } from "../page-header.tsx";
import { TabLinks } from "../tab-links.tsx";
import { listPlugins } from "./api.ts";
import { EnableSheet, ReviewSheet } from "./consent/consent-sheet.tsx";
import { DeletePluginDialog } from "./delete-plugin-dialog.tsx";
import { KeysSection } from "./keys/keys-section.tsx";
import {
  type ConsentCase,
  componentsOf,
  PluginActions,
  PluginMarks,
  type PluginToggle,
  usePluginToggle,
} from "./plugin-actions.tsx";
import {
  hasFailed,
  isAmong,
  isOnItsWay,
  type PluginShow,
  pluginAddress,
  pluginQuery,
  pluginShows,
  pluginListTexts as texts,
} from "./plugin-status.ts";
import { UploadDialog } from "./upload/lazy-upload-dialog.tsx";

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
  const query = pluginQuery.read(params);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [pace, setPace] = useState(restingMs);
  const loaded = useLoad(listPluginsSorted, pace);
  const { data: plugins, isLoading, reload } = loaded;
  // Some states pass automatically: they are looked at more often until they have.
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

type PluginsSectionProps = {
  loaded: Loaded<Plugin[]>;
  show: PluginShow;
  toggle: PluginToggle;
  onDelete: (plugin: Plugin) => void;
  onReview: (plugin: Plugin) => void;
  onUpload: () => void;
};

/** The plugins in numbers and in a table, and what licensing has to do with them. */
const PluginsSection = ({ loaded, show, onUpload, ...rest }: PluginsSectionProps) => {
  const { data: plugins, error, isLoading, reload } = loaded;
  return (
    <>
      <PluginCounters plugins={plugins} hasFailed={error !== null} show={show} />
      {error !== null && <AccessError error={error} hasData={plugins !== null} onRetry={reload} />}
      {plugins === null && error === null && <TableSkeleton />}
      {plugins !== null && (
        <Card
          aria-busy={isLoading}
          className={cn("overflow-clip", error !== null && "opacity-70 transition-opacity delay-200")}
        >
          <KeepFocus of={plugins}>
            <Plugins plugins={plugins} show={show} onUpload={onUpload} {...rest} />
          </KeepFocus>
        </Card>
      )}
      {/* The list above has its height only then. */}
      {(plugins !== null || error !== null) && (
        <Alert severity="info" title={texts.licensing}>
          {texts.licensingText}
        </Alert>
      )}
    </>
  );
};

type PluginsProps = Omit<PluginsSectionProps, "loaded"> & { plugins: readonly Plugin[] };

const Plugins = ({ plugins, show, onUpload, ...rest }: PluginsProps) => {
  const shown = plugins.filter((plugin) => isAmong(show, plugin));
  if (shown.length > 0) {
    const titleOf = (name: string) => plugins.find((plugin) => plugin.name === name)?.title ?? name;
    return <PluginTable plugins={shown} titleOf={titleOf} {...rest} />;
  }
  if (plugins.length > 0) {
    return (
      <EmptyList Icon={Puzzle} title={texts.noMatch}>
        <Link
          href={pluginAddress({})}
          className={cn(buttonVariants({ variant: "outline", size: "sm" }), "mt-3")}
        >
          {texts.showAll}
        </Link>
      </EmptyList>
    );
  }
  return (
    <EmptyList Icon={Puzzle} title={texts.none} text={texts.noneText}>
      <Button size="sm" className="mt-3" onClick={onUpload}>
        {texts.upload}
      </Button>
      <p className="mt-2 text-[0.8125rem] text-muted-foreground">
        {texts.guide} <code className="font-mono">{texts.guideCommand}</code>
      </p>
    </EmptyList>
  );
};

const TableSkeleton = () => (
  <Card aria-busy="true" aria-label={texts.loading} className="divide-y divide-border">
    {["a", "b", "c", "d"].map((row) => (
      <div key={row} className="flex h-17 items-center gap-6 px-4">
        <div className="grid grow gap-2">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-3 w-2/3" />
        </div>
        <Skeleton className="h-6 w-24" />
      </div>
    ))}
  </Card>
);

type PluginCountersProps = {
  /** `null` while they are on their way. */
  plugins: readonly Plugin[] | null;
  hasFailed: boolean;
  show: PluginShow;
};

/** How many plugins there are of each kind; each number leads to just those. */
const PluginCounters = ({ plugins, hasFailed, show }: PluginCountersProps) => {
  const counted = (kind: PluginShow) => {
    if (plugins !== null) return formatCount(plugins.filter((plugin) => isAmong(kind, plugin)).length);
    return hasFailed ? "–" : <Skeleton className="h-5 w-10" />;
  };
  return (
    <ul aria-label={texts.counters} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {pluginShows.map((kind) => (
        <li
          key={kind}
          className="relative rounded-lg border border-border bg-card px-4 py-2 has-[a:hover]:bg-accent/50 has-aria-[current=true]:border-primary"
        >
          <Link
            href={pluginAddress({ show: kind })}
            aria-current={kind === show && kind !== "total" ? "true" : undefined}
            className="text-[0.8125rem] text-muted-foreground outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:ring-2 focus-visible:after:ring-ring"
          >
            {texts.counted[kind]}
          </Link>
          <div className="flex min-h-7 items-center font-semibold text-xl tabular-nums tracking-tight">
            {counted(kind)}
          </div>
        </li>
      ))}
    </ul>
  );
};

/** Shows that a file can be let go anywhere. */
const DropCurtain = () => (
  <div
    role="status"
    className="pointer-events-none fixed inset-3 z-50 grid place-content-center justify-items-center gap-3 rounded-lg border-2 border-primary border-dashed bg-background/90 font-medium"
  >
    <Upload aria-hidden="true" className="size-6 text-primary" />
    {texts.drop}
  </div>
);

/**
 * Takes a file that is dropped anywhere in the window, dialogs included; the browser would leave the page for it. Returns
 * whether one is being dragged over the window. Of several files the first is taken.
 */
const useDropTarget = (onFile: (file: File) => void): boolean => {
  const [isDragging, setIsDragging] = useState(false);
  const take = useRef(onFile);
  useEffect(() => {
    take.current = onFile;
  });
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setIsDragging(true);
    };
    // Leaving one element for another inside the window names the other.
    const onDragLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setIsDragging(false);
    const onDrop = (event: DragEvent) => {
      setIsDragging(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      take.current(file);
    };
    addEventListener("dragover", onDragOver);
    addEventListener("dragleave", onDragLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onDragOver);
      removeEventListener("dragleave", onDragLeave);
      removeEventListener("drop", onDrop);
    };
  }, []);
  return isDragging;
};

type PluginTableProps = {
  plugins: readonly Plugin[];
  /** Finds a plugin's title by its name. */
  titleOf: (name: string) => string;
  toggle: PluginToggle;
  onDelete: (plugin: Plugin) => void;
  onReview: (plugin: Plugin) => void;
};

/** The plugins, a row each; a press anywhere in a row leads to the plugin's page. */
const PluginTable = ({ plugins, ...rest }: PluginTableProps) => (
  <DataTable
    isWhole
    label={texts.tabs.plugins}
    columns={columnsFor(rest)}
    rows={plugins}
    keyOf={({ name }) => name}
    rowLook="relative align-top hover:bg-muted/60"
  />
);

type RowProps = Omit<PluginTableProps, "plugins">;

const quiet = "py-3 text-muted-foreground";

// What a narrow window has no room for goes, the least telling first; the status moves below the name.
const columnsFor = (row: RowProps): readonly Column<Plugin>[] => [
  {
    name: texts.columns.plugin,
    isHeading: true,
    // Without a width of its own it takes what the others leave, and wraps what is too long for it.
    cellLook: "py-2.5 font-normal",
    cell: (plugin) => <PluginName plugin={plugin} {...row} />,
  },
  {
    name: texts.columns.status,
    look: "max-sm:hidden",
    cellLook: "py-3",
    cell: (plugin) => <PluginMarks plugin={plugin} isOn={row.toggle.isOn(plugin)} />,
  },
  { name: texts.columns.type, look: "max-lg:hidden", cellLook: quiet, cell: ({ type }) => type },
  {
    name: texts.columns.dependencies,
    look: "max-lg:hidden",
    cellLook: quiet,
    cell: ({ dependsOn }) =>
      dependsOn.length === 0 ? texts.noDependencies : dependsOn.map(row.titleOf).join(", "),
  },
  { name: texts.columns.components, look: "max-xl:hidden", cellLook: quiet, cell: componentsOf },
  {
    name: texts.columns.actions,
    look: "text-right",
    cell: (plugin) => (
      <PluginActions plugin={plugin} toggle={row.toggle} onDelete={() => row.onDelete(plugin)} />
    ),
  },
];

const PluginName = ({ plugin, toggle, onReview }: RowProps & { plugin: Plugin }) => {
  const { name, title, description, version, core, pendingVersion } = plugin;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          href={`/admin/plugins/${encodeURIComponent(name)}`}
          className="wrap-anywhere font-medium outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
        >
          {title}
        </Link>
        <span className="text-muted-foreground text-xs">{texts.version(version)}</span>
        {core && <Badge tone="primary">{texts.core}</Badge>}
      </span>
      <span className="wrap-anywhere line-clamp-2 text-[0.8125rem] text-muted-foreground">{description}</span>
      <span className="mt-1.5 block sm:hidden">
        <PluginMarks plugin={plugin} isOn={toggle.isOn(plugin)} />
      </span>
      {(hasFailed(plugin) || plugin.error !== null) && <Failure plugin={plugin} toggle={toggle} />}
      {pendingVersion !== null && (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={texts.review(title, pendingVersion)}
          onClick={() => onReview(plugin)}
          className="relative z-1 mt-1.5 inline-flex min-h-6 cursor-pointer rounded-full outline-none focus-visible:ring-2 focus-visible:ring-ring max-md:min-h-11 max-md:items-center"
        >
          <Badge tone="warning">{texts.pending(pendingVersion)}</Badge>
        </button>
      )}
    </>
  );
};

// The error of a plugin that runs is that of its waiting version.
const Failure = ({ plugin, toggle }: { plugin: Plugin; toggle: PluginToggle }) => (
  <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
    <span className="wrap-anywhere line-clamp-3 min-w-0 text-[0.8125rem] text-destructive">
      {plugin.error ?? texts.failedText}
    </span>
    {hasFailed(plugin) && (
      <Button
        variant="outline"
        size="sm"
        aria-label={texts.tryAgainName(plugin.title)}
        isBusy={toggle.isBusy(plugin)}
        onClick={() => toggle.tryAgain(plugin)}
        className="relative z-1"
      >
        {texts.tryAgain}
      </Button>
    )}
  </span>
);
