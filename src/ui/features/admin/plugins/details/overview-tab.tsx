import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Plugin, PluginDetails } from "#contract/plugins.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Card, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { type Column, DataTable } from "#ui/components/ui/table.tsx";
import { formatBytes, formatDateTime, formatDuration } from "../../format.ts";
import type { Opened } from "../api.ts";
import { hasFailed, pluginListTexts } from "../plugin-status.ts";
import { overviewTabTexts as texts } from "./texts.ts";

/** What a plugin is, how it does on each server, and what it adds. */
export const OverviewTab = ({ plugin, plugins }: Opened) => (
  <div className="grid gap-3">
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <About plugin={plugin} />
      <Workings plugin={plugin} plugins={plugins} />
    </div>
    <Replicas plugin={plugin} />
    <Routes plugin={plugin} />
    <Jobs plugin={plugin} />
  </div>
);

type PartProps = { plugin: PluginDetails };

const About = ({ plugin }: PartProps) => {
  const { author, license, homepage, installedAt, installedBy, updatedAt } = plugin;
  const installed = formatDateTime(installedAt);
  return (
    <FactsCard title={texts.about}>
      {author !== null && <FactRow name={texts.author}>{author}</FactRow>}
      {license !== null && <FactRow name={texts.license}>{license}</FactRow>}
      {homepage !== null && (
        <FactRow name={texts.homepage}>
          <a href={homepage} rel="noreferrer" target="_blank" className={linkLook}>
            {homepage}
          </a>
        </FactRow>
      )}
      <FactRow name={texts.installed}>
        {installedBy === null ? installed : texts.by(installed, installedBy)}
      </FactRow>
      <FactRow name={texts.updated}>{formatDateTime(updatedAt)}</FactRow>
    </FactsCard>
  );
};

const Workings = ({ plugin, plugins }: Opened) => {
  const { runtime, frontend, limits, dependencies, dependents, state } = plugin;
  const { memoryMB, cpuMs, wallMs } = limits;
  const needed = Object.entries(dependencies).map(([name, range]) => ({ name, range }));
  return (
    <FactsCard title={texts.health}>
      <FactRow name={texts.state}>
        <Badge tone={toneOf(plugin)}>{texts.states[state]}</Badge>
      </FactRow>
      <FactRow name={texts.runtime}>{runtime === null ? texts.noBackend : texts.runtimes[runtime]}</FactRow>
      <FactRow name={texts.frontend}>
        {frontend === null ? texts.noFrontend : texts.frontends[frontend.mode]}
      </FactRow>
      {runtime === "sandbox" && (
        <FactRow name={texts.limits}>{texts.limitsText(memoryMB, cpuMs, wallMs)}</FactRow>
      )}
      <FactRow name={texts.needs}>
        <PluginLinks others={needed} plugins={plugins} />
      </FactRow>
      <FactRow name={texts.neededBy}>
        <PluginLinks others={dependents.map((name) => ({ name, range: "*" }))} plugins={plugins} />
      </FactRow>
    </FactsCard>
  );
};

const toneOf = (plugin: Pick<PluginDetails, "state"> & Plugin) => {
  if (hasFailed(plugin)) return "danger";
  return plugin.state === "running" ? "success" : "neutral";
};

type PluginLinksProps = { others: { name: string; range: string }[]; plugins: readonly Plugin[] };

const PluginLinks = ({ others, plugins }: PluginLinksProps) =>
  others.length === 0
    ? pluginListTexts.noDependencies
    : others.map(({ name, range }, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <Link href={`/admin/plugins/${name}`} className={linkLook}>
            {plugins.find((plugin) => plugin.name === name)?.title ?? name}
          </Link>
          {range !== "*" && <span className="text-muted-foreground"> {range}</span>}
        </span>
      ));

const linkLook =
  "rounded-sm text-primary underline underline-offset-4 outline-none focus-visible:ring-2 focus-visible:ring-ring";

const mono = "font-mono text-xs";

const Replicas = ({ plugin: { replicas } }: PartProps) => (
  <RowsCard
    title={texts.replicas}
    empty={texts.noReplicas}
    rows={replicas}
    keyOf={({ replica }) => replica}
    columns={[
      { name: texts.replica, cellLook: mono, cell: ({ replica }) => replica },
      {
        name: texts.state,
        cell: ({ state, error }) => (
          <>
            {texts.states[state]}
            {error !== null && <span className="block whitespace-normal text-destructive">{error}</span>}
          </>
        ),
      },
      { name: texts.version, cell: ({ version }) => version },
      {
        name: texts.isolation,
        cell: ({ isolation }) => (isolation === null ? "–" : texts.isolations[isolation]),
      },
      {
        name: texts.memory,
        cell: ({ memoryBytes }) => (memoryBytes === null ? "–" : formatBytes(memoryBytes)),
      },
      { name: texts.since, cell: ({ startedAt }) => (startedAt === null ? "–" : formatDateTime(startedAt)) },
    ]}
  />
);

const Routes = ({ plugin: { name, routes } }: PartProps) => (
  <RowsCard
    title={texts.routes}
    empty={texts.noRoutes}
    rows={routes}
    keyOf={({ method, path }) => `${method} ${path}`}
    columns={[
      { name: texts.method, cell: ({ method }) => method },
      { name: texts.path, cellLook: mono, cell: ({ path }) => `/api/${name}${path === "/" ? "" : path}` },
      { name: texts.access, cell: ({ access }) => accesses[access] ?? access },
      { name: texts.summary, cellLook: "text-muted-foreground", cell: ({ summary }) => summary },
    ]}
  />
);

const accesses: Record<string, string> = texts.accesses;

const Jobs = ({ plugin: { jobs } }: PartProps) => (
  <RowsCard
    title={texts.jobs}
    empty={texts.noJobs}
    rows={jobs}
    keyOf={({ name }) => name}
    columns={[
      { name: texts.job, cellLook: "font-medium", cell: ({ name }) => name },
      { name: texts.every, cell: ({ everyMs }) => formatDuration(everyMs / 1000) },
      {
        name: texts.lastRun,
        cell: ({ lastRunAt }) => (lastRunAt === null ? texts.never : formatDateTime(lastRunAt)),
      },
      {
        name: texts.lastError,
        cellLook: "whitespace-normal text-destructive",
        cell: ({ lastError }) => lastError,
      },
    ]}
  />
);

/** Named facts in a card. */
export const FactsCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card aria-label={title} className="min-w-0">
    <CardHeader>
      <CardTitle>{title}</CardTitle>
    </CardHeader>
    <dl className="divide-y divide-border border-border border-t text-sm">{children}</dl>
  </Card>
);

/** One of them. */
export const FactRow = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 px-5 py-2">
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="wrap-anywhere min-w-0">{children}</dd>
  </div>
);

type RowsCardProps<Row> = {
  title: string;
  empty: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

/** A card around a table, or a sentence where it would be empty. */
const RowsCard = <Row,>({ title, empty, ...table }: RowsCardProps<Row>) => (
  <Card className="min-w-0 overflow-clip">
    <CardHeader>
      <CardTitle>{title}</CardTitle>
    </CardHeader>
    {table.rows.length === 0 ? (
      <p className="px-5 pb-4 text-muted-foreground text-sm">{empty}</p>
    ) : (
      <DataTable label={title} {...table} />
    )}
  </Card>
);
