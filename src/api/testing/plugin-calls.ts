import type { TestClient } from "./host.ts";

/** An answer's status and body. */
export type PluginAnswer = { status: number; body: Record<string, unknown> & { data?: unknown } };

/** The calls of the plugin module, as one person makes them. */
export const pluginCalls = (client: Pick<TestClient, "call">) => {
  const call = async (method: string, path: string, body?: unknown): Promise<PluginAnswer> => {
    const answer = await client.call(method, path, body);
    return { status: answer.status, body: await answer.json() };
  };
  const send = (path: string, bytes: Uint8Array) => {
    const form = new FormData();
    form.set("plugin", new File([new Uint8Array(bytes)], "plugin.zip", { type: "application/zip" }));
    return call("POST", path, form);
  };
  return {
    call,
    list: () => call("GET", "/api/plugins"),
    get: (name: string) => call("GET", `/api/plugins/${name}`),
    inspect: (bytes: Uint8Array) => send("/api/plugins/inspect", bytes),
    upload: (bytes: Uint8Array, query = "") => send(`/api/plugins/upload${query}`, bytes),
    toggle: (name: string, enabled: boolean, consent?: boolean) =>
      call("POST", `/api/plugins/${name}/toggle`, { enabled, ...(consent === undefined ? {} : { consent }) }),
    remove: (name: string, query = "") => call("DELETE", `/api/plugins/${name}${query}`),
    activate: (name: string, version: string, consent?: boolean) =>
      call(
        "POST",
        `/api/plugins/${name}/versions/${version}/activate`,
        consent === undefined ? {} : { consent },
      ),
  };
};
