import { afterAll, beforeAll, expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import {
  createHostFunctionWorld,
  type HostFunctionWorld,
  quotaBytes,
} from "#api/testing/host-function-world.ts";

let world: HostFunctionWorld;
beforeAll(async () => {
  world = await createHostFunctionWorld();
});
afterAll(() => world.close());

const keeper = (name: string) =>
  world.plugin(name, [{ name: "storage.kv" }, { name: "storage.files.write" }]);
const value = "x".repeat(60_000);

test("entries and files fill one quota, and above it the plugin is told how much it keeps", async () => {
  const plugin = keeper("full");
  await plugin.call("files.write", "a.txt", { text: "x".repeat(950_000) });
  await plugin.call("files.write", "b.txt", { text: "x".repeat(950_000) });
  await plugin.call("kv.set", "one", value);
  for (const refused of [
    plugin.call("kv.set", "two", value),
    plugin.call("files.write", "c.txt", { text: value }),
  ])
    expect(await failureOf(refused)).toMatchObject({
      name: "LIMIT_EXCEEDED",
      message: expect.stringMatching(/^The plugin keeps 2 of at most 2 MB; 600\d\d more bytes don't fit$/),
    });
  expect(await plugin.call("kv.get", "two")).toBeUndefined();
  await keeper("other").call("kv.set", "two", value);
});

test("what is replaced, deleted or has expired frees its space", async () => {
  const plugin = keeper("tidy");
  await plugin.call("files.write", "a.txt", { text: "x".repeat(quotaBytes / 2 - 100) });
  await plugin.call("files.write", "b.txt", { text: "x".repeat(quotaBytes / 2 - 70_000) });
  await plugin.call("kv.set", "one", value);
  for (let time = 0; time < 5; time += 1) await plugin.call("kv.set", "one", value);
  expect(await failureOf(plugin.call("kv.set", "two", value))).toMatchObject({ name: "LIMIT_EXCEEDED" });
  await plugin.call("kv.delete", "one");
  await plugin.call("kv.set", "two", value, { ttlMs: 1_000 });
  world.ctx.clock.advance(1_001);
  await plugin.call("kv.set", "three", value);
  await plugin.call("files.delete", "a.txt");
  await plugin.call("kv.set", "four", value);
});

test("concurrent writes don't exceed the quota together, and one that fails takes no space", async () => {
  const plugin = keeper("racing");
  await plugin.call("files.write", "a.txt", { text: "x".repeat(950_000) });
  await plugin.call("files.write", "b.txt", { text: "x".repeat(930_000) });
  const stale = plugin.call("kv.set", "none", value, { ifVersion: 7 });
  expect(await failureOf(stale)).toMatchObject({ name: "CONFLICT" });
  const writes = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 0
      ? plugin.call("kv.set", `k${index}`, value)
      : plugin.call("files.write", `f${index}.txt`, { text: value }),
  );
  const kinds = (await Promise.allSettled(writes)).map(({ status }) => status);
  expect(kinds.filter((kind) => kind === "fulfilled")).toHaveLength(1);
});
