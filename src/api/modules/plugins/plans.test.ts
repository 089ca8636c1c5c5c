import { expect, test } from "bun:test";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";

const host = await hostForFile();
const calls = pluginCalls(await host.signedIn("admin"));
const key = generateKey();
await calls.call("POST", "/api/admin/plugin-keys", { publicKey: key.publicKey, label: "Ada" });
const install = async (name: string, manifest: object, privateKey?: string) => {
  const signing = privateKey === undefined ? {} : { privateKey };
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const zip = await packPlugin({ name, version: "1.0.0", manifest: { title, ...manifest }, ...signing });
  expect((await calls.upload(zip)).status).toBe(201);
};
const properties = { greeting: { type: "string" }, apiKey: { type: "string", "x-secret": true } };
await install("alpha", { settings: { schema: { type: "object", properties } } }, key.privateKey);
await install("beta", { dependsOn: ["alpha"] });
await install("gamma", { dependsOn: ["beta"] });
await install("wanting", { permissions: ["routes"] });
for (const name of ["alpha", "beta", "gamma"])
  expect((await calls.toggle(name, true, true)).status).toBe(200);

/** What a plan answers, which has changed nothing, when the control socket asks for it. */
const planOf = async (id: string, input: object) => {
  const before = await contentsOf(host.db);
  const request = new Request(`http://localhost/api/plan/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const answer = await host.app.handle(request, { via: "socket" });
  expect(await contentsOf(host.db)).toEqual(before);
  const { code, data } = await answer.json();
  return { code, data, summary: data?.summary };
};

test.each([
  ["toggle", { name: "gamma", enabled: false }, "Would disable Gamma"],
  [
    "toggle",
    { name: "alpha", enabled: false },
    "Would disable Gamma, which needs Alpha, and Beta, which needs Alpha, and Alpha",
  ],
  ["toggle", { name: "wanting", enabled: false }, "Would change nothing"],
  ["toggle", { name: "alpha", enabled: true }, "Would change nothing"],
  [
    "toggle",
    { name: "wanting", enabled: true, consent: true },
    "Would enable Wanting 1.0.0, and grant everything it requests",
  ],
  [
    "remove",
    { name: "beta", force: true },
    "Would disable Gamma, which needs Beta, and Beta, and delete beta with all of its data permanently",
  ],
  ["remove", { name: "wanting", retainData: true }, "Would delete wanting and keep its data"],
  [
    "setSettings",
    { name: "alpha", values: { greeting: "Hello", apiKey: "hunter2" } },
    'Would change greeting to "Hello", and save apiKey of alpha',
  ],
])("the plan of plugins.%s for %p", async (name, input, summary) => {
  const plan = await planOf(`plugins.${name}`, input);
  expect(plan).toMatchObject({ summary });
  expect(JSON.stringify(plan)).not.toContain("hunter2");
});

test.each([
  ["toggle", { name: "wanting", enabled: true }, "CONSENT_REQUIRED"],
  ["remove", { name: "alpha" }, "PLUGIN_NEEDED"],
  ["discardVersion", { name: "alpha", version: "1.0.0" }, "CONFLICT"],
  ["restore", { name: "alpha" }, "PLUGIN_NOT_FOUND"],
  ["deleteRetained", { name: "alpha", publisher: "unsigned" }, "NOT_FOUND"],
])("the plan of plugins.%s for %p is refused as the change is", async (name, input, code) => {
  expect(await planOf(`plugins.${name}`, input)).toMatchObject({ code });
});

test("the plan to revoke a key names the plugins that stop", async () => {
  const { body } = await calls.call("GET", "/api/admin/plugin-keys");
  const [{ keyId: id }] = Object(body.data).keys;
  const { summary } = await planOf("pluginKeys.revoke", { id });
  expect(summary).toStartWith("Would revoke the key of Ada permanently, and stop Gamma, which needs Alpha");
  expect(summary).toContain("and Alpha: ");
});
