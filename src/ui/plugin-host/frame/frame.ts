/*
 * The script of the document in which an untrusted plugin's frontend runs: waits for the host to hand over a port, loads
 * the plugin's bundle and mounts it. Whatever the plugin wants of the host goes through that port.
 */

type Answer = { id: number; value?: unknown; error?: string };

/** What a frontend in a frame gets to work with. */
type FrameApi = {
  readonly settings: unknown;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  notify(text: string): void;
  navigate(path: string): void;
};

const script = document.querySelector<HTMLScriptElement>("script[data-entry]");
const { name = "", version = "", entry = "" } = script?.dataset ?? {};

const createApi = (port: MessagePort, settings: unknown): FrameApi => {
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  port.onmessage = ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  const ask = (op: string, args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, ({ value, error }) =>
        error === undefined ? resolve(value) : reject(new Error(error)),
      );
      port.postMessage({ id: lastId, op, args });
    });
  return {
    settings,
    call: (method, path, body) => ask("call", { method, path, body }),
    notify: (text) => port.postMessage({ op: "notify", args: { text } }),
    navigate: (path) => port.postMessage({ op: "navigate", args: { path } }),
  };
};

const start = async (port: MessagePort, settings: unknown): Promise<void> => {
  const root = document.getElementById("app");
  if (root === null) return;
  const tellHeight = () => port.postMessage({ op: "height", args: { px: root.scrollHeight } });
  try {
    const { default: plugin } = await import(entry);
    if (plugin?.name !== name || plugin?.version !== version || typeof plugin.mount !== "function")
      throw new Error("The frontend's default export needs the manifest's name and version, and mount");
    await plugin.mount(root, createApi(port, settings));
    new ResizeObserver(tellHeight).observe(root);
    port.postMessage({ op: "mounted", args: {} });
  } catch (error) {
    port.postMessage({ op: "failed", args: { message: String(error).slice(0, 500) } });
  }
};

const connect = ({ source, data, ports: [port] }: MessageEvent): void => {
  if (source !== window.parent || data?.atrium !== "connect" || port === undefined) return;
  window.removeEventListener("message", connect);
  void start(port, data.settings);
};

window.addEventListener("message", connect);
// The port comes when this is heard, or with the frame's load event.
window.parent.postMessage({ atrium: "frame-ready", name }, "*");
