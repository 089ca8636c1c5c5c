import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { PluginSignature } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { isDark, onThemeChange } from "#ui/lib/theme.ts";
import { createPluginCaller } from "./call-plugin.ts";
import { createFrameDesk } from "./frame-desk.ts";
import { FrontendFailure } from "./frontend-failure.tsx";
import { frontendTexts as texts } from "./frontend-texts.ts";

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

/** A plugin's page that nobody has to trust: in a frame of no origin, which asks for things by messages. */
export const FrameFrontend = (props: FrameFrontendProps) => {
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
      const take = createFrameDesk({
        page: { plugin: name, base },
        call,
        answer: (message) => port1.postMessage(message),
        notify: (text) => notify({ tone: "info", message: texts.notice(opening.current.title, text) }),
        navigate: (address) => opening.current.navigate(address),
        onHeight: setHeight,
        onMounted: () => setState({ step: "shown" }),
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
      () => setState((now) => (now.step === "loading" ? { step: "failed", reason: texts.late } : now)),
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
        {texts.source(title, signature)}
      </figcaption>
      {state.step === "loading" && <Skeleton className="h-40 w-full" />}
      <iframe
        ref={frame}
        title={title}
        sandbox="allow-scripts"
        src={`/api/plugins/${name}/frame`}
        height={height}
        className={cn("block w-full border-0", state.step === "loading" && "h-0")}
      />
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
