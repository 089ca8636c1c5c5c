import { afterEach, beforeEach, expect, mock, spyOn, test } from "bun:test";
import type { SiteApi } from "#plugins/sdk/frontend-types.ts";
import { runSiteScripts } from "./site-scripts.ts";
import { slotContent } from "./slots.tsx";

const notes = { name: "notes", version: "1.0.0", script: "/notes/1.js" };
const newer = { ...notes, version: "1.1.0", script: "/notes/2.js" };
let warn: ReturnType<typeof spyOn>;

beforeEach(() => {
  warn = spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(async () => {
  await runSiteScripts([]);
  warn.mockRestore();
});

const moduleOf = (start: (api: SiteApi) => unknown, facts: object = notes) => ({
  default: { ...facts, start },
});

test("a script runs once however often it is listed, and knows which plugin it is of", async () => {
  const start = mock((api: SiteApi) => void api.fillSlot("licensing", { text: api.plugin.version }));
  await runSiteScripts([notes], async () => moduleOf(start));
  await runSiteScripts([notes], async () => moduleOf(start));
  expect(start).toHaveBeenCalledTimes(1);
  expect(slotContent("licensing")).toEqual({ text: "1.0.0" });
});

test("what it did is taken back once it is not listed any more, and its successor takes its place", async () => {
  const stop = mock(() => {});
  const first = moduleOf((api) => {
    api.fillSlot("licensing", { text: "first" });
    return stop;
  });
  const second = moduleOf((api) => void api.fillSlot("licensing", { text: "second" }), newer);
  await runSiteScripts([notes], async () => first);
  await runSiteScripts([newer], async () => second);
  expect(stop).toHaveBeenCalledTimes(1);
  expect(slotContent("licensing")).toEqual({ text: "second" });
  await runSiteScripts([]);
  expect(slotContent("licensing")).toBeNull();
});

test("one that is switched off while it is loaded is not started", async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const start = mock(() => {});
  const loading = runSiteScripts([notes], () => promise);
  await runSiteScripts([]);
  resolve(moduleOf(start));
  await loading;
  expect(start).not.toHaveBeenCalled();
});

test("what it fills once it has ended does not stay", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let filled = Promise.resolve();
  const late = moduleOf((api) => {
    filled = promise.then(() => void api.fillSlot("licensing", { text: "late" }));
  });
  await runSiteScripts([notes], async () => late);
  await runSiteScripts([]);
  resolve();
  await filled;
  expect(slotContent("licensing")).toBeNull();
});

test("one that fails, or says that it is another plugin, is passed over with a warning, and the next one runs", async () => {
  const failing = { ...notes, name: "failing", script: "/failing.js" };
  const foreign = { ...notes, name: "foreign", script: "/foreign.js" };
  const away = { ...notes, name: "away", script: "/away.js" };
  await runSiteScripts([failing, foreign, away, notes], async (script) => {
    if (script === away.script) throw new Error("cannot be had");
    if (script === failing.script)
      return moduleOf(() => {
        throw new Error("broken");
      }, failing);
    return moduleOf((api) => void api.fillSlot("licensing", { text: "notes" }));
  });
  expect(warn).toHaveBeenCalledTimes(3);
  expect(slotContent("licensing")).toEqual({ text: "notes" });
});

test("one that does not stop cleanly does not keep others from stopping", async () => {
  const clumsy = { ...notes, name: "clumsy", script: "/clumsy.js" };
  const stop = mock(() => {});
  await runSiteScripts([clumsy, notes], async (script) =>
    script === notes.script
      ? moduleOf(() => stop)
      : moduleOf(
          () => () => {
            throw new Error("stuck");
          },
          clumsy,
        ),
  );
  await runSiteScripts([]);
  expect(stop).toHaveBeenCalledTimes(1);
});
