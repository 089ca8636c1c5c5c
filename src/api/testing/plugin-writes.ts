import { generateKey } from "#api/plugin-host/package/keys.ts";
import { type TestClient, testPassword } from "./host.ts";
import { packPlugin } from "./plugin-package.ts";

/** A call that changes something, whoever of those who may make it does. */
export type GoodWrite = { path: string; body?: unknown };

/** The plugin that has to be part of the host's Atrium. */
export const bundledName = "part-of-atrium";

let pluginsMade = 0;

/** A form with a package of a plugin, a new one unless told. */
const packageForm = async (name?: string, version = "1.0.0", privateKey?: string): Promise<FormData> => {
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

/** How each route by which admins change plugins is called well; made anew for each call, by the admin. */
export const pluginWrites = (admin: () => TestClient): Record<string, () => Promise<GoodWrite>> => {
  const prepared = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await admin().call(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer;
  };
  const installed = async (rest = ""): Promise<string> => {
    const answer = await prepared("POST", "/api/plugins/upload", await packageForm());
    return `/api/plugins/${(await answer.json()).data.name}${rest}`;
  };
  /** A plugin with an older version that is kept. */
  const withOlder = async (rest: string): Promise<string> => {
    const path = await installed();
    await prepared("POST", "/api/plugins/upload", await packageForm(path.split("/").at(-1), "1.1.0"));
    return `${path}/versions/1.0.0${rest}`;
  };
  /** A plugin with a waiting version that a trusted key signed. */
  const withOtherPublisher = async (rest: string): Promise<string> => {
    const path = await installed();
    const { publicKey, privateKey } = generateKey();
    await prepared("POST", "/api/admin/plugin-keys", { publicKey, label: "Ada" });
    await prepared(
      "POST",
      "/api/plugins/upload",
      await packageForm(path.split("/").at(-1), "2.0.0", privateKey),
    );
    return `${path}${rest}`;
  };
  const deletedBundled = async (): Promise<string> => {
    const path = `/api/plugins/${bundledName}`;
    // A refused call before this one may have left it deleted.
    await admin().call("POST", `${path}/restore`);
    await prepared("DELETE", path);
    return `${path}/restore`;
  };
  const trustedKey = async (rest = ""): Promise<string> => {
    const { keyId, publicKey } = generateKey();
    await prepared("POST", "/api/admin/plugin-keys", { publicKey, label: "Ada" });
    return `/api/admin/plugin-keys/${keyId}${rest}`;
  };
  return {
    "POST /api/plugins/upload": async () => ({ path: "/api/plugins/upload", body: await packageForm() }),
    "POST /api/plugins/:name/toggle": async () => ({
      path: await installed("/toggle"),
      body: { enabled: true, consent: true },
    }),
    "POST /api/plugins/:name/versions/:version/activate": async () => ({
      path: await withOlder("/activate"),
      body: {},
    }),
    "POST /api/plugins/:name/replace-publisher": async () => ({
      path: await withOtherPublisher("/replace-publisher"),
      body: { version: "2.0.0", consent: true, password: testPassword },
    }),
    "DELETE /api/plugins/:name/versions/:version": async () => ({ path: await withOlder("") }),
    "POST /api/plugins/:name/restore": async () => ({ path: await deletedBundled() }),
    "DELETE /api/plugins/:name/retained/:publisher": async () => {
      const path = await installed();
      await prepared("DELETE", `${path}?retainData=true`);
      return { path: `${path}/retained/unsigned` };
    },
    "DELETE /api/plugins/:name": async () => ({ path: await installed() }),
    "PUT /api/plugins/:name/settings": async () => ({
      path: await installed("/settings"),
      body: { values: { greeting: "Good day" } },
    }),
    "POST /api/admin/plugin-keys": async () => ({
      path: "/api/admin/plugin-keys",
      body: { publicKey: generateKey().publicKey, label: "Ada" },
    }),
    "PATCH /api/admin/plugin-keys/:id": async () => ({ path: await trustedKey(), body: { label: "Grace" } }),
    "POST /api/admin/plugin-keys/:id/revoke": async () => ({ path: await trustedKey("/revoke") }),
  };
};
