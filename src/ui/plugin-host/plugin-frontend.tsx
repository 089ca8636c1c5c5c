import { useCallback, useState } from "react";
import type { PluginDetails } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { api } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { FrameFrontend } from "./frame-frontend.tsx";
import { leaveSiteDocument } from "./load-frontend.ts";
import { WindowFrontend } from "./window-frontend.tsx";

type PluginFrontendPartProps = {
  plugin: PluginDetails;
  /** The address of the page, and where below it the reader is. */
  base: string;
  path: string;
};

/** A plugin's own page: in this window if it is trusted with that, else in a frame. */
export const PluginFrontendPart = ({ plugin, base, path }: PluginFrontendPartProps) => {
  const { name, title, version, frontend, hasSettings, signature } = plugin;
  const [tries, setTries] = useState(0);
  const [isLeaving] = useState(leaveSiteDocument);
  const load = useCallback(() => settingsOf(name, hasSettings), [name, hasSettings]);
  const settings = useLoad(load);
  if (frontend === null) return null;
  if (isLeaving || (settings.data === null && settings.error === null))
    return <Skeleton className="h-40 w-full" />;
  // Another version is another page.
  const key = `${frontend.script} ${tries}`;
  const props = {
    ...{ name, title, base, path },
    settings: settings.data ?? none,
    onReload: () => setTries(tries + 1),
  };
  return frontend.mode === "native" ? (
    <WindowFrontend key={key} {...props} version={version} frontend={frontend} />
  ) : (
    <FrameFrontend key={key} {...props} signature={signature} />
  );
};

const none: Record<string, Json> = {};

type Answer = { data: { values: Record<string, Json>; secrets: Record<string, boolean> } };

const settingsOf = async (name: string, hasSettings: boolean): Promise<Record<string, Json>> => {
  if (!hasSettings) return none;
  const { data } = await api.get<Answer>(`/api/plugins/${name}/settings`);
  return Object.fromEntries(Object.entries(data.values).filter(([field]) => !(field in data.secrets)));
};
