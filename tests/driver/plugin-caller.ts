import { controlSocketIn } from "#api/config.ts";
import { heldText } from "./held-answer.ts";
import { recordCall } from "./traffic-recorder.ts";

/** What was answered; `body` is empty for what is no JSON object. */
export type PluginAnswer = { status: number; body: Record<string, unknown> };

/**
 * Someone who may look after plugins. Calls reject when the server goes away under them, and in tests when an answer is
 * not what the API's document says.
 */
export type PluginCaller = {
  /** Any call: a form or JSON as its body. */
  ask(method: string, path: string, body?: FormData | object): Promise<PluginAnswer>;
  upload(zip: Uint8Array, options?: { allowDowngrade?: boolean }): Promise<PluginAnswer>;
  /** With consent to everything that it asks for. */
  toggle(name: string, enabled: boolean): Promise<PluginAnswer>;
  activate(name: string, version: string): Promise<PluginAnswer>;
  remove(name: string, options?: { retainData?: boolean }): Promise<PluginAnswer>;
  /** Everything about it; `null` when it is not installed. */
  look(name: string): Promise<Record<string, unknown> | null>;
};

/** The operator of the server with this data folder, by its control socket. */
export const asOperator = (dataDir: string): PluginCaller =>
  callerWith((path, init) => fetch(`http://localhost${path}`, { ...init, unix: controlSocketIn(dataDir) }));

/** An admin with this session cookie, over the network as from a browser. */
export const asAdmin = (origin: string, cookie: string): PluginCaller =>
  callerWith(async (path, init) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries({ cookie, origin, "sec-fetch-site": "same-origin" }))
      headers.set(name, value);
    const request = new Request(`${origin}${path}`, { ...init, headers });
    await recordCall(request);
    return fetch(request);
  });

const callerWith = (send: (path: string, init: RequestInit) => Promise<Response>): PluginCaller => {
  const ask: PluginCaller["ask"] = async (method, path, body) => {
    const response = await send(path, {
      method,
      signal: AbortSignal.timeout(60_000),
      ...(body instanceof FormData ? { body } : {}),
      ...(body === undefined || body instanceof FormData
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: asRecord(await heldText({ method, path }, response)) };
  };
  return {
    ask,
    upload: (zip, { allowDowngrade = false } = {}) =>
      ask("POST", `/api/plugins/upload?allowDowngrade=${allowDowngrade}`, packageForm(zip)),
    toggle: (name, enabled) =>
      ask("POST", `/api/plugins/${name}/toggle`, { enabled, ...(enabled ? { consent: true } : {}) }),
    activate: (name, version) =>
      ask("POST", `/api/plugins/${name}/versions/${version}/activate`, { consent: true }),
    remove: (name, { retainData = false } = {}) =>
      ask("DELETE", `/api/plugins/${name}?retainData=${retainData}`),
    look: async (name) => {
      const { status, body } = await ask("GET", `/api/plugins/${name}`);
      return status === 404 ? null : { ...Object(body.data) };
    },
  };
};

/** The form that a browser sends a package in. */
const packageForm = (zip: Uint8Array, name = "plugin.zip"): FormData => {
  const form = new FormData();
  form.set("plugin", new File([new Uint8Array(zip)], name, { type: "application/zip" }));
  return form;
};

const asRecord = (text: string): Record<string, unknown> => {
  try {
    return { ...JSON.parse(text) };
  } catch {
    // Pages and empty answers have no fields.
    return {};
  }
};
