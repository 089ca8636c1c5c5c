import { Puzzle } from "lucide-react";
import { Link } from "wouter";
import type { Plugin } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { cn } from "#ui/lib/cn.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { EmptyList } from "../empty-list.tsx";
import { KeepFocus } from "../users/keep-focus.tsx";
import { PluginCounters } from "./plugin-counters.tsx";
import { pluginAddress } from "./plugin-query.ts";
import { isAmong, type PluginShow } from "./plugin-status.ts";
import { PluginTable } from "./plugin-table.tsx";
import { pluginListTexts as texts } from "./texts.ts";
import type { PluginToggle } from "./use-plugin-toggle.ts";

type PluginsSectionProps = {
  loaded: Loaded<Plugin[]>;
  show: PluginShow;
  toggle: PluginToggle;
  onDelete: (plugin: Plugin) => void;
  onReview: (plugin: Plugin) => void;
  onUpload: () => void;
};

/** The plugins in numbers and in a table, and what licensing has to do with them. */
export const PluginsSection = ({ loaded, show, onUpload, ...rest }: PluginsSectionProps) => {
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
