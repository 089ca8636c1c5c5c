import type { FrameFrontend, FrontendApi } from "#plugins/sdk/frontend-types.ts";
import { removeNetworkApis } from "./remove-network-apis.ts";

/*
 * The script of the document in which an untrusted plugin's frontend runs: waits for the host to hand over a port, loads
 * the plugin's bundle and mounts it. Whatever the plugin wants of the host goes through that port.
 */

type Theme = { name: FrontendApi["theme"]; tokens: Record<string, string> };
type Opening = { settings: FrontendApi["settings"]; theme: Theme; path: string };
type Answer = {
  id?: number;
  value?: never;
  error?: string;
  status?: number;
  errors?: { path: string; message: string }[];
};
type News = { event?: "theme" | "path"; theme?: Theme; path?: string };

removeNetworkApis(globalThis);

const script = document.querySelector<HTMLScriptElement>("script[data-entry]");
const { name = "", version = "", entry = "" } = script?.dataset ?? {};
const page = document.documentElement;

const paint = ({ name: theme, tokens }: Theme) => {
  for (const [token, value] of Object.entries(tokens)) page.style.setProperty(token, value);
  page.style.colorScheme = theme;
  page.classList.toggle("dark", theme === "dark");
};

const createApi = (port: MessagePort, { settings, ...opening }: Opening): FrontendApi => {
  const waiting = new Map<number, (answer: Answer) => void>();
  const listeners = { theme: new Set<(value: string) => void>(), path: new Set<(value: string) => void>() };
  let lastId = 0;
  let theme = opening.theme.name;
  let { path } = opening;
  port.onmessage = ({ data }: MessageEvent<Answer & News>) => {
    if (data.event === "theme" && data.theme) {
      paint(data.theme);
      theme = data.theme.name;
      for (const listener of listeners.theme) listener(theme);
    } else if (data.event === "path" && data.path !== undefined) {
      path = data.path;
      for (const listener of listeners.path) listener(path);
    } else if (data.id !== undefined) {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    }
  };
  return {
    plugin: { name, version },
    settings,
    get path() {
      return path;
    },
    get theme() {
      return theme;
    },
    call: (method, wanted, body) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, ({ value, error, status, errors = [] }) =>
          error === undefined
            ? resolve(value ?? null)
            : reject(Object.assign(new Error(error), { status, errors })),
        );
        port.postMessage({ id: lastId, op: "call", args: { method, path: wanted, body } });
      }),
    notify: (text) => port.postMessage({ op: "notify", args: { text } }),
    navigate: (wanted) => port.postMessage({ op: "navigate", args: { path: wanted } }),
    on: (event, listener) => {
      listeners[event].add(listener);
      return () => listeners[event].delete(listener);
    },
  };
};

const start = async (port: MessagePort, opening: Opening): Promise<void> => {
  const root = document.getElementById("app");
  if (root === null) return;
  paint(opening.theme);
  Object.assign(document.body.style, {
    margin: "0",
    color: "var(--foreground)",
    background: "var(--background)",
    font: "14px/1.5 ui-sans-serif, system-ui, sans-serif",
  });
  // What hangs out of the root by its margins is to be seen, too.
  root.style.display = "flow-root";
  // The host doesn't see what happens in here; a few times a minute are enough.
  let toldMs = Number.NEGATIVE_INFINITY;
  const tellInput = ({ timeStamp }: Event) => {
    if (timeStamp - toldMs < 10_000) return;
    toldMs = timeStamp;
    port.postMessage({ op: "input" });
  };
  for (const type of ["keydown", "pointerdown", "wheel"]) document.addEventListener(type, tellInput, true);
  const tellHeight = () => port.postMessage({ op: "height", args: { px: root.scrollHeight } });
  try {
    const { default: plugin }: { default?: FrameFrontend } = await import(entry);
    if (plugin?.name !== name || plugin.version !== version || typeof plugin.mount !== "function")
      throw new Error("The frontend's default export needs the manifest's name and version, and mount");
    await plugin.mount(root, createApi(port, opening));
    new ResizeObserver(tellHeight).observe(root);
    port.postMessage({ op: "mounted" });
  } catch (error) {
    port.postMessage({ op: "failed", args: { message: String(error) } });
  }
};

const connect = ({ source, data, ports: [port] }: MessageEvent): void => {
  if (source !== window.parent || data?.atrium !== "connect" || port === undefined) return;
  window.removeEventListener("message", connect);
  void start(port, data);
};

window.addEventListener("message", connect);
// The host answers with a port.
window.parent.postMessage({ atrium: "frame-ready", name }, "*");
