import { describe, expect, test } from "bun:test";
import { pluginSecrets } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { saveOwnSettings } from "./settings.ts";
import { readPluginSecret } from "./store.ts";

const schema = {
  type: "object",
  required: ["apiKey"],
  properties: {
    greeting: { type: "string", default: "Hello", pattern: "^[A-Z]", maxLength: 20 },
    most: { type: "integer", minimum: 1 },
    apiKey: { type: "string", "x-secret": true, minLength: 5 },
  },
};
const host = await hostForFile();
const calls = pluginCalls(await host.signedIn("admin"));
const newRows = createActivityReader(host.services);
await calls.upload(await packPlugin({ name: "alpha", manifest: { title: "Alpha", settings: { schema } } }));
await calls.upload(await packPlugin({ name: "beta" }));

const path = "/api/plugins/alpha/settings";
const put = (values: Record<string, unknown>) => calls.call("PUT", path, { values });
const secret = () => readPluginSecret(host.services, "alpha", "apiKey");

test("a secret is stored sealed, never told, kept when it is left out or empty, and removed by null", async () => {
  const { status, body } = await put({ apiKey: "hush-hush", most: 3 });
  expect([status, body.message]).toEqual([200, "Settings of Alpha saved"]);
  expect(body.data).toMatchObject({
    values: { greeting: "Hello", most: 3, apiKey: "" },
    secrets: { apiKey: true },
  });
  expect(await secret()).toBe("hush-hush");
  expect((await put({ apiKey: "", most: 4 })).status).toBe(200);
  expect((await put({ greeting: "Hi" })).status).toBe(200);
  expect(await secret()).toBe("hush-hush");
  const [row] = await host.db.select().from(pluginSecrets);
  expect(Buffer.from(row?.sealed ?? []).includes("hush-hush")).toBe(false);
  await host.services.activity.settle();
  expect(JSON.stringify([await contentsOf(host.db), host.logs])).not.toContain("hush-hush");
  expect((await put({ apiKey: null })).body.errors).toEqual([
    { path: "apiKey", message: expect.any(String) },
  ]);
});

test("null brings a field back to its default, and the same again changes nothing", async () => {
  await put({ apiKey: "hush-hush", greeting: "Hi" });
  expect((await put({ greeting: null })).body.data).toMatchObject({ values: { greeting: "Hello" } });
  await newRows();
  const before = withoutLog(await contentsOf(host.db));
  expect((await put({ greeting: null })).body.message).toBe("Nothing was changed");
  expect(withoutLog(await contentsOf(host.db))).toEqual(before);
});

describe("what does not fit is refused by field and changes nothing:", () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ greeting: "hi" }, "greeting"],
    [{ most: 0 }, "most"],
    [{ most: "3" }, "most"],
    [{ apiKey: 5 }, "apiKey"],
    [{ apiKey: "abc" }, "apiKey"],
    [{ unknown: 1 }, "unknown"],
    [JSON.parse('{"__proto__": {"most": 3}}'), "__proto__"],
    [{ constructor: 1 }, "constructor"],
  ];
  test.each(cases)("%j", async (values, field) => {
    await put({ apiKey: "hush-hush" });
    const before = withoutLog(await contentsOf(host.db));
    const { status, body } = await put(values);
    expect([400, 422]).toContain(status);
    if (status === 422) expect(body.errors).toMatchObject([{ path: field }]);
    expect(withoutLog(await contentsOf(host.db))).toEqual(before);
  });
});

test("a plugin without settings has none to read or change", async () => {
  expect((await calls.call("GET", "/api/plugins/beta/settings")).status).toBe(404);
  expect((await calls.call("PUT", "/api/plugins/beta/settings", { values: {} })).status).toBe(404);
});

test("a plugin changes its own settings by the same rules, and the log says that it did", async () => {
  await put({ apiKey: "hush-hush" });
  await newRows();
  const alpha = { name: "alpha", dataKey: "alpha" };
  await saveOwnSettings(host.services, alpha, { most: 9 });
  expect((await calls.call("GET", path)).body.data).toMatchObject({ values: { most: 9 } });
  expect(await newRows()).toMatchObject([{ actorKind: "plugin", pluginName: "alpha" }]);
  const failure = await failureOf(saveOwnSettings(host.services, alpha, { most: -1 }));
  expect(failure).toMatchObject({ kind: "VALIDATION_FAILED" });
});
