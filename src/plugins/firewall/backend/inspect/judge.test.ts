import { expect, test } from "bun:test";
import { makeFakeEngine } from "../testing/fake-engine.ts";
import { type StartedPlugin, startPlugin } from "../testing/started-plugin.ts";

const status = async (plugin: StartedPlugin, request: Parameters<StartedPlugin["pass"]>[0]) =>
  (await plugin.pass({ method: "POST", path: "/x", ...request })).stopped?.status ?? null;

const started = async (threshold: number) => {
  const plugin = await startPlugin({ makeEngine: makeFakeEngine });
  const body = { masterSwitchEnabled: true, threshold };
  await plugin.call("PUT", "/config", { body, user: null });
  return plugin;
};

test("what is found in the head and in the body again counts once", async () => {
  const plugin = await started(4);
  // Two points each; the word that stands in both is one finding.
  expect(await status(plugin, { query: "q=odd", body: "odd" })).toBeNull();
  expect(await status(plugin, { query: "q=odd", body: "attack" })).toBe(403);
});

test("F2: what the headers say of a body hides nothing that is found in it", async () => {
  const plugin = await started(2);
  const headers = { "content-type": "text/plain; note=odd" };
  const path = "/api/auth/login";
  expect(await status(plugin, { path, headers, body: "fine" })).toBeNull();
  expect(await status(plugin, { path, headers, body: "odd" })).toBe(403);
});
