import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { PluginFrontend } from "#contract/plugins.ts";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { Json, Method } from "#plugins/sdk/types.ts";
import { Boundary } from "#ui/components/boundary.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { notify } from "#ui/lib/notices.ts";
import { isDark, onThemeChange } from "#ui/lib/theme.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { createPluginCaller } from "./call-plugin.ts";
import { FrontendFailure } from "./frontend-failure.tsx";
import { frontendTexts as texts } from "./frontend-texts.ts";
import { importFrontend } from "./load-frontend.ts";
import { pageAddress } from "./plugin-address.ts";
import { readPluginModule } from "./read-plugin-module.ts";

type WindowFrontendProps = {
  name: string;
  title: string;
  version: string;
  frontend: PluginFrontend;
  settings: Record<string, Json>;
  base: string;
  path: string;
  onReload: () => void;
};

/** The page of a plugin that is trusted with this window; what it throws stays in its place. */
export const WindowFrontend = ({ frontend, onReload, ...props }: WindowFrontendProps) => {
  const { name, title, version } = props;
  const { script } = frontend;
  const load = useCallback(() => loadPage({ name, version, script }), [name, version, script]);
  const { data, error } = useLoad(load);
  const api = useFrontendApi(props);
  const failure = (reason?: string) => <FrontendFailure title={title} reason={reason} onReload={onReload} />;
  if (error !== null) return failure(error instanceof Error ? error.message : undefined);
  if (data === null) return <Skeleton className="h-40 w-full" />;
  return (
    <Boundary fallback={failure()}>
      {frontend.css !== null && <link rel="stylesheet" href={frontend.css} />}
      <div data-plugin={name}>
        <data.Page api={api} />
      </div>
    </Boundary>
  );
};

type PageSource = { name: string; version: string; script: string };

const loadPage = async ({ name, version, script }: PageSource) => {
  const module = await importFrontend(script);
  const plugin = readPluginModule(module, { id: name, version, warn: (message) => console.warn(message) });
  if (plugin === null) throw new Error(texts.invalid);
  if (plugin.Page === undefined) throw new Error(texts.noPage);
  return { Page: plugin.Page };
};

type ApiProps = Omit<WindowFrontendProps, "frontend" | "onReload">;
type Listener = (value: string) => void;

const useFrontendApi = ({ name, title, version, settings, base, path }: ApiProps): WindowApi => {
  const [, navigate] = useLocation();
  const call = useMemo(() => createPluginCaller({ plugin: name }), [name]);
  const listeners = useRef({ theme: new Set<Listener>(), path: new Set<Listener>() });
  const [theme, setTheme] = useState<WindowApi["theme"]>(() => (isDark() ? "dark" : "light"));
  useEffect(() => onThemeChange(() => setTheme(isDark() ? "dark" : "light")), []);
  useEffect(() => {
    for (const listener of listeners.current.theme) listener(theme);
  }, [theme]);
  useEffect(() => {
    for (const listener of listeners.current.path) listener(path);
  }, [path]);
  return useMemo(
    () => ({
      plugin: { name, version },
      settings,
      path,
      theme,
      call: async (method: Method, wanted: string, body?: Json) =>
        asJson(await call({ method, path: wanted, body })),
      notify: (text) => notify({ tone: "info", message: texts.notice(title, text) }),
      navigate: (wanted) => {
        const address = pageAddress({ plugin: name, base }, wanted);
        if (address !== null) navigate(address);
      },
      addressOf: (wanted) => pageAddress({ plugin: name, base }, wanted) ?? base,
      on: (event, listener) => {
        listeners.current[event].add(listener);
        return () => listeners.current[event].delete(listener);
      },
    }),
    [name, title, version, settings, base, path, theme, call, navigate],
  );
};

/** What came back was parsed from JSON, or is its text. */
const asJson = (value: unknown): Json => value as Json;
