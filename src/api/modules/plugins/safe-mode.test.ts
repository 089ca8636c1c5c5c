import { expect, test } from "bun:test";
import { hostForFile } from "#api/testing/for-file.ts";
import { pluginCalls } from "#api/testing/plugin-calls.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";

const host = await hostForFile({ plugins: { isSafeMode: true } });
const calls = pluginCalls(await host.signedIn("admin"));

test("a plugin enabled in safe mode is stored as enabled, does not run, and says when it will", async () => {
  await calls.upload(await packPlugin({ name: "alpha", manifest: { title: "Alpha" } }));
  // Said again the same is true again.
  for (const _ of [1, 2]) {
    const { status, body } = await calls.toggle("alpha", true, true);
    expect(status).toBe(200);
    expect(body.message).toBe("Alpha enabled; it runs after the next start without safe mode");
    expect(body.data).toMatchObject({ enabled: true, state: "disabled" });
  }
  expect(host.plugins.tried).toEqual([]);
});
