import { Link } from "wouter";
import type { Plugin } from "#contract/plugins.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { componentsOf, PluginActions, PluginMarks, type PluginToggle } from "./plugin-actions.tsx";
import { hasFailed } from "./plugin-status.ts";
import { pluginListTexts as texts } from "./texts.ts";

type PluginTableProps = {
  plugins: readonly Plugin[];
  /** Finds a plugin's title by its name. */
  titleOf: (name: string) => string;
  toggle: PluginToggle;
  onDelete: (plugin: Plugin) => void;
  onReview: (plugin: Plugin) => void;
};

/** The plugins, a row each; a press anywhere in a row leads to the plugin's page. */
export const PluginTable = ({ plugins, ...rest }: PluginTableProps) => (
  <Table label={texts.tabs.plugins} isWhole>
    <TableHeader columns={columns} />
    <TableBody>
      {plugins.map((plugin) => (
        <PluginRow key={plugin.name} plugin={plugin} {...rest} />
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes, the least telling first; the status moves below the name.
const looks = {
  status: "max-sm:hidden",
  type: "max-lg:hidden",
  dependencies: "max-lg:hidden",
  components: "max-xl:hidden",
  actions: "text-right",
};
const columns = [
  { name: texts.columns.plugin },
  { name: texts.columns.status, look: looks.status },
  { name: texts.columns.type, look: looks.type },
  { name: texts.columns.dependencies, look: looks.dependencies },
  { name: texts.columns.components, look: looks.components },
  { name: texts.columns.actions, look: looks.actions },
];

type PluginRowProps = Omit<PluginTableProps, "plugins"> & { plugin: Plugin };

const PluginRow = ({ plugin, titleOf, toggle, onDelete, onReview }: PluginRowProps) => {
  const { name, title, description, version, type, core, dependsOn, pendingVersion } = plugin;
  const isOn = toggle.isOn(plugin);
  return (
    <TableRow className="relative align-top hover:bg-muted/60">
      {/* The cell without a width of its own takes what the others leave, and wraps what is too long for it. */}
      <th scope="row" className="w-full max-w-0 py-2.5 pr-3 pl-4 text-left font-normal">
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
        <span className="wrap-anywhere line-clamp-2 text-[0.8125rem] text-muted-foreground">
          {description}
        </span>
        <span className="mt-1.5 block sm:hidden">
          <PluginMarks plugin={plugin} isOn={isOn} />
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
      </th>
      <TableCell className={cn("py-3", looks.status)}>
        <PluginMarks plugin={plugin} isOn={isOn} />
      </TableCell>
      <TableCell className={cn("py-3 text-muted-foreground", looks.type)}>{type}</TableCell>
      <TableCell className={cn("py-3 text-muted-foreground", looks.dependencies)}>
        {dependsOn.length === 0 ? texts.noDependencies : dependsOn.map(titleOf).join(", ")}
      </TableCell>
      <TableCell className={cn("py-3 text-muted-foreground", looks.components)}>
        {componentsOf(plugin)}
      </TableCell>
      <TableCell className="py-2">
        <PluginActions plugin={plugin} toggle={toggle} onDelete={() => onDelete(plugin)} />
      </TableCell>
    </TableRow>
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
