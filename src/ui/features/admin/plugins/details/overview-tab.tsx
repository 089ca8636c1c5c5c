import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Plugin, PluginDetails } from "#contract/plugins.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Card, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
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

const Replicas = ({ plugin: { replicas } }: PartProps) => (
  <RowsCard title={texts.replicas} empty={texts.noReplicas} isEmpty={replicas.length === 0}>
    <Table label={texts.replicas}>
      <TableHeader columns={named("replica", "state", "version", "isolation", "memory", "since")} />
      <TableBody>
        {replicas.map(({ replica, state, version, isolation, memoryBytes, startedAt, error }) => (
          <TableRow key={replica}>
            <TableCell className="font-mono text-xs">{replica}</TableCell>
            <TableCell>
              {texts.states[state]}
              {error !== null && <span className="block whitespace-normal text-destructive">{error}</span>}
            </TableCell>
            <TableCell>{version}</TableCell>
            <TableCell>{isolation === null ? "–" : texts.isolations[isolation]}</TableCell>
            <TableCell>{memoryBytes === null ? "–" : formatBytes(memoryBytes)}</TableCell>
            <TableCell>{startedAt === null ? "–" : formatDateTime(startedAt)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </RowsCard>
);

const Routes = ({ plugin: { name, routes } }: PartProps) => (
  <RowsCard title={texts.routes} empty={texts.noRoutes} isEmpty={routes.length === 0}>
    <Table label={texts.routes}>
      <TableHeader columns={named("method", "path", "access", "summary")} />
      <TableBody>
        {routes.map(({ method, path, access, summary }) => (
          <TableRow key={`${method} ${path}`}>
            <TableCell>{method}</TableCell>
            <TableCell className="font-mono text-xs">{`/api/${name}${path === "/" ? "" : path}`}</TableCell>
            <TableCell>{accessText(access)}</TableCell>
            <TableCell className="text-muted-foreground">{summary}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </RowsCard>
);

const accesses: Record<string, string> = texts.accesses;
const accessText = (access: string): string => accesses[access] ?? access;

const Jobs = ({ plugin: { jobs } }: PartProps) => (
  <RowsCard title={texts.jobs} empty={texts.noJobs} isEmpty={jobs.length === 0}>
    <Table label={texts.jobs}>
      <TableHeader columns={named("job", "every", "lastRun", "lastError")} />
      <TableBody>
        {jobs.map(({ name, everyMs, lastRunAt, lastError }) => (
          <TableRow key={name}>
            <TableCell className="font-medium">{name}</TableCell>
            <TableCell>{formatDuration(everyMs / 1000)}</TableCell>
            <TableCell>{lastRunAt === null ? texts.never : formatDateTime(lastRunAt)}</TableCell>
            <TableCell className="whitespace-normal text-destructive">{lastError}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </RowsCard>
);

type Column =
  | "replica"
  | "state"
  | "version"
  | "isolation"
  | "memory"
  | "since"
  | "method"
  | "path"
  | "access"
  | "summary"
  | "job"
  | "every"
  | "lastRun"
  | "lastError";

const named = (...columns: Column[]) => columns.map((column) => ({ name: texts[column] }));

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

type RowsCardProps = { title: string; empty: string; isEmpty: boolean; children: ReactNode };

/** A card around a table, or a sentence where it would be empty. */
const RowsCard = ({ title, empty, isEmpty, children }: RowsCardProps) => (
  <Card className="min-w-0 overflow-clip">
    <CardHeader>
      <CardTitle>{title}</CardTitle>
    </CardHeader>
    {isEmpty ? <p className="px-5 pb-4 text-muted-foreground text-sm">{empty}</p> : children}
  </Card>
);
