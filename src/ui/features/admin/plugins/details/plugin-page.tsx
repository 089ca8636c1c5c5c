import { useCallback, useEffect } from "react";
import { useLocation } from "wouter";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { adminTitle, useSite } from "#ui/lib/site.ts";
import { type Loaded, useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../../access-error.tsx";
import { PageHeader } from "../../page-header.tsx";
import { type Opened, openPlugin } from "../api.ts";
import { AbsentPlugin, FullPage, PluginsLink } from "./full-page.tsx";
import { PluginDetailsView } from "./plugin-details-view.tsx";
import { detailsTexts as texts } from "./texts.ts";

const restingMs = 15_000;

/** The page of one plugin: what it is and how it stands, or its own page over the whole width. */
export const AdminPluginPage = () => {
  const [path] = useLocation();
  const place = readPluginPath(path);
  return <OnePlugin key={place.name} {...place} />;
};

const OnePlugin = ({ name, base, rest, isOwn }: ReturnType<typeof readPluginPath>) => {
  const load = useCallback(() => openPlugin(name), [name]);
  const loaded = useLoad(load, restingMs);
  const title = loaded.data?.plugin.title;
  const site = useSite();
  useEffect(() => {
    document.title = adminTitle(title ?? name, site);
  }, [title, name, site]);
  const { data, error, reload } = loaded;
  if (error instanceof ApiError && error.status === 404) return <AbsentPlugin name={name} />;
  if (data === null) return <Waiting name={name} {...{ error, reload }} />;
  if (!isOwn) return <PluginDetailsView {...data} reload={reload} error={error} />;
  return <FullPage plugin={data.plugin} base={base} path={rest} />;
};

const Waiting = ({ name, error, reload }: { name: string } & Pick<Loaded<Opened>, "error" | "reload">) => (
  <div className="grid gap-6" aria-busy={error === null}>
    <div className="grid gap-3">
      <PluginsLink />
      <PageHeader title={name} />
    </div>
    {error === null ? (
      <>
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className="h-11 w-full" />
        <Skeleton className="h-64 w-full" />
      </>
    ) : (
      <AccessError error={error} hasData={false} onRetry={reload} />
    )}
  </div>
);

const details = "/admin/plugins/";
const admin = "/admin/";

/**
 * Which plugin an address of the admin area is about. `isOwn`: it leads to the plugin's own page over the whole width, which
 * is at `base`, at `rest` below it; else to what admins see of the plugin.
 */
const readPluginPath = (path: string): { name: string; base: string; rest: string; isOwn: boolean } => {
  const folder = path.startsWith(details) ? details : admin;
  const [name = "", ...rest] = path.slice(folder.length).split("/");
  return {
    name,
    base: folder + name,
    rest: rest.map((part) => `/${part}`).join(""),
    isOwn: folder === admin || rest.length > 0,
  };
};
