import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { FieldError } from "#contract/errors.ts";
import type { PluginDetails, PluginFrontend, PluginSignature } from "#contract/plugins.ts";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { Json, Method } from "#plugins/sdk/types.ts";
import { Boundary } from "#ui/components/boundary.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { noteInput } from "#ui/lib/presence.ts";
import { isDark, onThemeChange } from "#ui/lib/theme.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { ApiError, client } from "../lib/api.ts";
import { createPluginCaller, type PageOnShow, pageAddress, type WantedCall } from "./call-plugin.ts";
import { importFrontend, leaveSiteDocument } from "./load-frontend.ts";
import { readPluginModule } from "./registry.ts";

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

const settingsOf = async (name: string, hasSettings: boolean): Promise<Record<string, Json>> => {
  if (!hasSettings) return none;
  const { data } = await client.plugins.settings({ name });
  return Object.fromEntries(Object.entries(data.values).filter(([field]) => !(field in data.secrets)));
};

const readyMs = 15_000;

type FrameFrontendProps = {
  name: string;
  title: string;
  signature: PluginSignature;
  settings: Record<string, Json>;
  /** The address of the page on show, and where below it the reader is. */
  base: string;
  path: string;
  onReload: () => void;
};

/** A plugin's page that no one has to trust: in a frame of no origin, which asks for things by messages. */
const FrameFrontend = (props: FrameFrontendProps) => {
  const { name, title, signature, settings, base, path, onReload } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const port = useRef<MessagePort | null>(null);
  const [, navigate] = useLocation();
  const [height, setHeight] = useState(320);
  const [state, setState] = useState<{ step: "loading" | "shown" } | { step: "failed"; reason: string }>({
    step: "loading",
  });
  // What is handed over is what holds when the frame is ready.
  const opening = useRef({ settings, path, title, navigate });
  useEffect(() => {
    opening.current = { settings, path, title, navigate };
    port.current?.postMessage({ event: "path", path });
  }, [settings, path, title, navigate]);

  useEffect(() => {
    const call = createPluginCaller({ plugin: name });
    const connect = (window: Window) => {
      const { port1, port2 } = new MessageChannel();
      port.current?.close();
      port.current = port1;
      const take = createFrameHandler({
        page: { plugin: name, base },
        call,
        answer: (message) => port1.postMessage(message),
        notify: (text) =>
          notify({ tone: "info", message: frontendTexts.notice(opening.current.title, text) }),
        navigate: (address) => opening.current.navigate(address),
        onHeight: setHeight,
        onMounted: () => setState({ step: "shown" }),
        onInput: noteInput,
        onFailed: (reason) => setState({ step: "failed", reason }),
      });
      port1.onmessage = ({ data }) => take(data);
      const { settings, path } = opening.current;
      window.postMessage({ atrium: "connect", settings, path, theme: readFrameTheme() }, "*", [port2]);
    };
    const onMessage = ({ source, data }: MessageEvent) => {
      const target = frame.current?.contentWindow;
      if (target && source === target && data?.atrium === "frame-ready") connect(target);
    };
    const timer = setTimeout(
      () =>
        setState((now) => (now.step === "loading" ? { step: "failed", reason: frontendTexts.late } : now)),
      readyMs,
    );
    window.addEventListener("message", onMessage);
    // The class on the root element changes after the choice has been told.
    const stop = onThemeChange(() =>
      setTimeout(() => port.current?.postMessage({ event: "theme", theme: readFrameTheme() })),
    );
    return () => {
      clearTimeout(timer);
      window.removeEventListener("message", onMessage);
      stop();
      port.current?.close();
      port.current = null;
    };
  }, [name, base]);

  if (state.step === "failed")
    return <FrontendFailure title={title} reason={state.reason} onReload={onReload} />;
  return (
    <figure
      aria-busy={state.step === "loading"}
      className="overflow-hidden rounded-lg border-2 border-border bg-background"
    >
      <figcaption className="border-border border-b bg-muted px-4 py-2 text-muted-foreground text-xs">
        {frontendTexts.source(title, signature)}
      </figcaption>
      <div className="p-1.5 sm:p-4 md:p-6">
        {state.step === "loading" && <Skeleton className="h-40 w-full" />}
        <iframe
          ref={frame}
          title={title}
          sandbox="allow-scripts"
          src={`/api/plugins/${name}/frame`}
          height={height}
          className={cn("block w-full border-0", state.step === "loading" && "h-0")}
        />
      </div>
    </figure>
  );
};

const names = [
  ...["background", "foreground", "card", "card-foreground", "muted", "muted-foreground", "border", "input"],
  ...["ring", "primary", "primary-foreground", "accent", "accent-foreground", "destructive"],
  ...["destructive-foreground", "success", "warning", "info", "radius"],
];

/** The theme on show, for frames: its name, and its values by custom property. */
type FrameTheme = { name: "light" | "dark"; tokens: Record<string, string> };

/** Reads the theme from the document. */
const readFrameTheme = (): FrameTheme => {
  const style = getComputedStyle(document.documentElement);
  const tokens = names.map((name) => [`--${name}`, style.getPropertyValue(`--${name}`).trim()]);
  return { name: isDark() ? "dark" : "light", tokens: Object.fromEntries(tokens) };
};

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
const WindowFrontend = ({ frontend, onReload, ...props }: WindowFrontendProps) => {
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
  if (plugin === null) throw new Error(frontendTexts.invalid);
  if (plugin.Page === undefined) throw new Error(frontendTexts.noPage);
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
      notify: (text) => notify({ tone: "info", message: frontendTexts.notice(title, text) }),
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

type FrontendFailureProps = { title: string; reason?: string | undefined; onReload: () => void };

/** Stands where a plugin's page failed, with the way to try it again. */
const FrontendFailure = ({ title, reason, onReload }: FrontendFailureProps) => (
  <Alert
    severity="error"
    title={frontendTexts.failed(title)}
    actions={
      <Button variant="outline" size="sm" onClick={onReload}>
        {frontendTexts.reload}
      </Button>
    }
  >
    {reason ?? frontendTexts.failedText}
  </Alert>
);

const publisherOf = ({ state, publisher }: PluginSignature): string => {
  if (state === "bundled") return "part of Atrium";
  return state === "signed" && publisher !== null ? `published by ${publisher}` : "publisher not verified";
};

/** Words around plugins' own pages. */
const frontendTexts = {
  failed: (title: string) => `The page of ${title} could not be loaded`,
  failedText: "The rest of the site keeps working. Reloading the plugin may help.",
  reload: "Reload",
  /** A plugin picks its own title, so its publisher is named as well. */
  source: (title: string, signature: PluginSignature) =>
    `Content from the plugin ${title} (${publisherOf(signature)})`,
  late: "It did not respond in time.",
  noPage: "Its frontend has no page.",
  invalid: "Its frontend needs a default export with the manifest's name and version.",
  notice: (title: string, text: string) => `${title}: ${text}`,
} as const;

/** The answer to a call of a frame, by its number: what came, or why nothing did. */
type FrameAnswer = {
  id: number;
  value?: unknown;
  error?: string;
  status?: number;
  errors?: readonly FieldError[];
};

/** What a frame may have done for it. */
type FrameHandlerOptions = {
  page: PageOnShow;
  call(wanted: WantedCall): Promise<unknown>;
  /** Sends an answer to the frame. */
  answer(message: FrameAnswer): void;
  notify(text: string): void;
  navigate(address: string): void;
  onHeight(px: number): void;
  onMounted(): void;
  /** The reader has done something in the frame. */
  onInput(): void;
  onFailed(message: string): void;
  now?: () => number;
};

const mostNoticeLength = 300;
const mostNotices = 5;
const noticesMs = 10_000;
const mostFailureLength = 500;
const heights = { least: 120, most: 20_000 };

/** Does what a frame asks for, by the messages of its port; what is no such message is passed over. */
export const createFrameHandler = (options: FrameHandlerOptions): ((message: unknown) => void) => {
  const { page, now = Date.now } = options;
  let shownAt: number[] = [];

  const call = async (id: number, args: Args) => {
    try {
      options.answer({
        id,
        value: await options.call({ method: args.method, path: args.path, body: args.body }),
      });
    } catch (error) {
      const { status, errors } = error instanceof ApiError ? error : { status: 0, errors: [] };
      const message = error instanceof Error ? error.message : String(error);
      options.answer({ id, error: message, status, ...(errors.length > 0 && { errors }) });
    }
  };

  const notify = (text: unknown) => {
    shownAt = shownAt.filter((moment) => moment > now() - noticesMs);
    if (typeof text !== "string" || text.trim() === "" || shownAt.length >= mostNotices) return;
    shownAt.push(now());
    options.notify(text.slice(0, mostNoticeLength));
  };

  const navigate = (path: unknown) => {
    const address = typeof path === "string" ? pageAddress(page, path) : null;
    if (address === null) console.warn(`${page.plugin} wanted to lead out of its own page`);
    else options.navigate(address);
  };

  return (message) => {
    const { id, op, args } = readMessage(message);
    if (op === "call" && typeof id === "number") void call(id, args);
    if (op === "notify") notify(args.text);
    if (op === "navigate") navigate(args.path);
    if (op === "mounted") options.onMounted();
    if (op === "input") options.onInput();
    if (op === "failed") options.onFailed(String(args.message).slice(0, mostFailureLength));
    if (op === "height" && typeof args.px === "number" && Number.isFinite(args.px))
      options.onHeight(Math.min(Math.max(Math.ceil(args.px), heights.least), heights.most));
  };
};

type Args = Record<string, unknown>;

const readMessage = (message: unknown): { id: unknown; op: unknown; args: Args } => {
  const { id, op, args } = fieldsOf(message);
  return { id, op, args: fieldsOf(args) };
};

const fieldsOf = (value: unknown): Args =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
