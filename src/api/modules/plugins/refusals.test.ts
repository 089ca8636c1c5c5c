import { describe, expect, test } from "bun:test";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";

const host = await hostForFile();
const clients = {
  visitor: host.visitor(),
  user: await host.signedIn("user"),
  admin: await host.signedIn("admin"),
};
const zip = await packPlugin({ name: "alpha", manifest: { title: "Alpha" } });
expect((await pluginCalls(clients.admin).upload(zip)).status).toBe(201);

const stored = async () => withoutLog(await contentsOf(host.db));

describe("a call that makes no sense is refused and changes nothing:", () => {
  const cases: [string, string, unknown, number][] = [
    ["POST", "/api/plugins/alpha/toggle", {}, 422],
    ["POST", "/api/plugins/alpha/toggle", { enabled: "true" }, 422],
    ["POST", "/api/plugins/alpha/toggle", { enabled: true, consent: 1 }, 422],
    ["POST", "/api/plugins/alpha/toggle", { enabled: true, grant: ["native"] }, 422],
    ["POST", "/api/plugins/beta/toggle", { enabled: true }, 404],
    ["POST", "/api/plugins/alpha/versions/9.9.9/activate", {}, 404],
    ["POST", "/api/plugins/alpha/versions/1.0.0/activate", { consent: "yes" }, 422],
    ["DELETE", "/api/plugins/alpha/versions/1.0.0", undefined, 409],
    ["DELETE", "/api/plugins/alpha/versions/9.9.9", undefined, 404],
    ["POST", "/api/plugins/alpha/restore", undefined, 404],
    ["DELETE", "/api/plugins/alpha?retainData=1", undefined, 422],
    ["DELETE", "/api/plugins/alpha?keepData=true", undefined, 422],
    ["DELETE", "/api/plugins/beta", undefined, 404],
    ["GET", "/api/plugins/beta", undefined, 404],
    ["GET", "/api/plugins/beta/data", undefined, 404],
    ["GET", "/api/plugins/beta/download", undefined, 404],
    ["GET", "/api/plugins/alpha/logs?after=-1", undefined, 422],
    ["GET", "/api/plugins/alpha/settings", undefined, 404],
    ["PUT", "/api/plugins/alpha/settings", { values: [] }, 422],
    ["POST", "/api/admin/plugin-keys", { publicKey: "AAAA", label: "Ada" }, 422],
    ["POST", "/api/admin/plugin-keys", { publicKey: "A".repeat(44), label: "" }, 422],
    ["PATCH", "/api/admin/plugin-keys/none", { label: "Ada" }, 404],
    ["PATCH", "/api/admin/plugin-keys/none", {}, 422],
    ["POST", "/api/admin/plugin-keys/none/revoke", undefined, 404],
  ];
  test.each(cases)("%s %s %j", async (method, path, body, status) => {
    const before = await stored();
    expect((await clients.admin.call(method, path, body)).status).toBe(status);
    expect(await stored()).toEqual(before);
  });
});

describe("P3: an upload that is not one zip is refused in words and leaves nothing:", () => {
  const file = (bytes: Uint8Array, name = "plugin.zip") =>
    new File([new Uint8Array(bytes)], name, { type: "application/zip" });

  // What else is refused, and in which words, is in http/upload-body.test.ts.
  test("at both routes", async () => {
    const before = await stored();
    for (const path of ["/api/plugins/upload", "/api/plugins/inspect"]) {
      const form = new FormData();
      form.set("plugin", file(new TextEncoder().encode("no zip at all")));
      const answer = await clients.admin.call("POST", path, form);
      expect([answer.status, (await answer.json()).message]).toEqual([415, "This is not a zip file"]);
    }
    expect(await stored()).toEqual(before);
  });

  test("and the plugin is called what its manifest says, whatever the file is called", async () => {
    const form = new FormData();
    const bytes = await packPlugin({ name: "gamma" });
    form.set("plugin", file(bytes, "../../evil.zip"));
    const answer = await clients.admin.call("POST", "/api/plugins/upload", form);
    expect([answer.status, (await answer.json()).data.name]).toEqual([201, "gamma"]);
    expect((await host.services.objects.list("packages/gamma/")).length).toBe(1);
    expect((await stored()).join()).not.toContain("evil");
  });
});

test("the public fields of plugins are shown of enabled ones only", async () => {
  for (const who of ["visitor", "user"] as const) {
    const { body } = await pluginCalls(clients[who]).list();
    expect(body.data).toEqual([]);
  }
  await pluginCalls(clients.admin).toggle("alpha", true, true);
  for (const who of ["visitor", "user"] as const) {
    const { body } = await pluginCalls(clients[who]).list();
    expect(body.data).toEqual([
      {
        ...{ name: "alpha", description: "Notes about visitors", type: "Other", enabled: true },
        frontendExists: false,
      },
    ]);
  }
  const info = await clients.admin.call("GET", "/api/admin");
  expect((await info.json()).availablePlugins).toEqual(["alpha"]);
});
