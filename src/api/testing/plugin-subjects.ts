import { generateKey } from "#api/plugin-host/package/keys.ts";
import { type TestClient, testPassword } from "./host.ts";
import { packPlugin } from "./plugin-package.ts";

/** A call that changes something, whoever of those who may make it does. */
export type GoodWrite = { path: string; body?: unknown };

/** The plugin that has to be part of the host's Atrium. */
export const bundledName = "part-of-atrium";

let pluginsMade = 0;

/** A form with a package of a plugin, a new one unless told. */
export const packageForm = async (
  name?: string,
  version = "1.0.0",
  privateKey?: string,
): Promise<FormData> => {
  pluginsMade += 1;
  const form = new FormData();
  const bytes = await packPlugin({
    ...{ name: name ?? `sample-${pluginsMade}`, version },
    ...(privateKey === undefined ? {} : { privateKey }),
    manifest: {
      settings: { schema: { type: "object", properties: { greeting: { type: "string" } } } },
    },
  });
  form.set("plugin", new File([new Uint8Array(bytes)], "plugin.zip", { type: "application/zip" }));
  return form;
};

/** What the operations by which admins change plugins are called with; created again for each call. */
export const pluginSubjects = (admin: () => TestClient): Record<string, () => Promise<object>> => {
  const prepared = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await admin().call(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer;
  };
  const uploaded = async (form: FormData): Promise<{ name: string }> => {
    const { data } = await (await prepared("POST", "/api/plugins/upload", form)).json();
    return { name: data.name };
  };
  const installed = async () => uploaded(await packageForm());
  /** A plugin with an older version that is kept. */
  const withOlder = async () => {
    const { name } = await installed();
    return { ...(await uploaded(await packageForm(name, "1.1.0"))), version: "1.0.0" };
  };
  const trusted = async (key = generateKey()) => {
    const { keyId: id, publicKey } = key;
    await prepared("POST", "/api/admin/plugin-keys", { publicKey, label: "Ada" });
    return { id };
  };
  return {
    plugins: installed,
    "plugins.activateVersion": withOlder,
    "plugins.discardVersion": withOlder,
    "plugins.replacePublisher": async () => {
      const { name } = await installed();
      const key = generateKey();
      await trusted(key);
      return {
        ...(await uploaded(await packageForm(name, "2.0.0", key.privateKey))),
        password: testPassword,
      };
    },
    "plugins.restore": async () => {
      const path = `/api/plugins/${bundledName}`;
      // A refused call before this one may have left it deleted.
      await admin().call("POST", `${path}/restore`);
      await prepared("DELETE", path);
      return { name: bundledName };
    },
    "plugins.deleteRetained": async () => {
      const { name } = await installed();
      await prepared("DELETE", `/api/plugins/${name}?retainData=true`);
      return { name };
    },
    "plugins.setSettings": async () => ({ ...(await installed()), values: { greeting: "Good day" } }),
    pluginKeys: async () => ({ ...(await trusted()), label: "Grace" }),
    "pluginKeys.trust": async () => ({ publicKey: generateKey().publicKey }),
  };
};
