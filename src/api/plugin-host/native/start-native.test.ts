import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { nativeHostOf } from "#api/testing/native-host.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { createImportBundle, createStartNative } from "./start-native.ts";

let data: ReturnType<typeof makeDataFolder>;
beforeAll(() => {
  data = makeDataFolder();
});
afterAll(() => data.remove());

const host = { call: async () => undefined, log: () => {}, failed: () => {} };
const programOf = (source: string) => ({
  ...{ name: "probe", version: "1.0.0", source, permissions: ["native"], settings: {}, replica: "here" },
  limits: { memoryMB: 32, cpuMs: 200, wallMs: 1_000 },
});
const withSetup = (setup: string) =>
  `export default { name: "probe", version: "1.0.0", setup(ctx) { ${setup} } };`;
const starter = () => {
  const log = createRecordingLog();
  const importBundle = createImportBundle({ folder: join(data.path, "native"), log });
  return { log, importBundle, start: createStartNative(importBundle, nativeHostOf) };
};

test("hooks and a mounted handler are handed over as they are", async () => {
  const source = withSetup(`
    ctx.request.before((request, { ip }) => ip === "1.2.3.4" ? new Response("no", { status: 403 }) : undefined);
    ctx.app.mount((request) => new Response(new URL(request.url).pathname));`);
  const { extras } = await starter().start(programOf(source), host);
  const request = new Request("http://localhost/here");
  expect((await extras?.before[0]?.(request, { ip: "1.2.3.4" }))?.status).toBe(403);
  expect(await extras?.before[0]?.(request, { ip: "::1" })).toBeUndefined();
  expect(await (await extras?.mount?.(request))?.text()).toBe("/here");
});

test("a plugin without them has none, and cannot add any later", async () => {
  const { extras } = await starter().start(programOf(withSetup("globalThis.keptProbe = ctx;")), host);
  expect(extras).toEqual({
    before: [],
    mount: null,
    inspector: null,
    shaper: null,
    coreManager: null,
    onSignal: null,
  });
  const { keptProbe } = Object(globalThis);
  expect(() => keptProbe.request.before(() => undefined)).toThrow("only while setup runs");
  expect(() => keptProbe.app.mount(() => new Response())).toThrow("only while setup runs");
  Reflect.deleteProperty(globalThis, "keptProbe");
});

test("two mounted handlers are a start that fails", async () => {
  const source = withSetup("ctx.app.mount(() => new Response()); ctx.app.mount(() => new Response());");
  expect(String(await failureOf(starter().start(programOf(source), host)))).toContain("one handler");
});

test("an inspector, a shaper and a manager of the core are handed over, one of each", async () => {
  const { extras } = await starter().start(
    {
      ...programOf(`export default { name: "firewall", version: "1.0.0", setup(ctx) {
        ctx.request.inspect({ isIdle: false });
        ctx.response.shape({ isIdle: true });
        ctx.host.manageCore({ isManaging: true, isCounting: false, isDevelopment: false });
      } };`),
      name: "firewall",
    },
    host,
  );
  expect(extras).toMatchObject({
    inspector: { isIdle: false },
    shaper: { isIdle: true },
    coreManager: { isManaging: true },
  });
  const twice = withSetup("ctx.request.inspect({ isIdle: true }); ctx.request.inspect({ isIdle: true });");
  expect(String(await failureOf(starter().start(programOf(twice), host)))).toContain("one inspector");
});

test("no plugin but the firewall takes the core's settings over", async () => {
  const source = withSetup(
    "ctx.host.manageCore({ isManaging: true, isCounting: true, isDevelopment: false });",
  );
  const failure = await failureOf(starter().start(programOf(source), host));
  expect(String(failure)).toContain("Only the plugin firewall");
});

test("a setup that never ends is given up after its five seconds", async () => {
  const source = `export default { name: "probe", version: "1.0.0", setup: () => new Promise(() => {}) };`;
  const began = performance.now();
  expect(await failureOf(starter().start(programOf(source), host))).toBeInstanceOf(Error);
  expect(performance.now() - began).toBeLessThan(7_000);
});

test("what lies where a bundle belongs is not loaded in its place", async () => {
  const { importBundle } = starter();
  await importBundle("export default 1;");
  const folder = join(data.path, "native");
  for (const entry of await readdir(folder)) await writeFile(join(folder, entry), "export default 666;");
  expect(await importBundle("export default 1;")).toBe(1);
});

test("after fifty loads the log says once what gives their memory back", async () => {
  const { importBundle, log } = starter();
  for (let load = 0; load < 55; load += 1) await importBundle("export default 2;");
  expect(log.entries.filter(({ message }) => message.includes("a restart frees their memory"))).toHaveLength(
    1,
  );
});
