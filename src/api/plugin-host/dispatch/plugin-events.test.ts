import { describe, expect, test } from "bun:test";
import { createHappenings } from "#api/core/events.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { createPluginEvents } from "./plugin-events.ts";

const settled = () => new Promise(setImmediate);

const world = () => {
  const happenings = createHappenings();
  const heard: Json[] = [];
  const warnings: string[] = [];
  const events = createPluginEvents(happenings);
  const warn = (message: string) => void warnings.push(message);
  return { happenings, heard, warnings, events, warn };
};

describe("a plugin that listens", () => {
  test("hears of what it listens for, and of nothing else", async () => {
    const { happenings, heard, events, warn } = world();
    events.open("notes", [{ event: "user.login", run: async (payload) => heard.push(payload) }], warn);
    happenings.tell({ name: "user.login", userId: "a" });
    happenings.tell({ name: "user.registered", userId: "b" });
    await settled();
    expect(heard).toEqual([{ userId: "a" }]);
    events.close("notes");
    happenings.tell({ name: "user.login", userId: "c" });
    expect(heard).toHaveLength(1);
  });

  test("hears of other plugins' states and not of its own", () => {
    const { happenings, heard, events, warn } = world();
    events.open("notes", [{ event: "plugin.state", run: async (payload) => heard.push(payload) }], warn);
    happenings.tell({ name: "plugin.state", plugin: "notes", state: "running" });
    happenings.tell({ name: "plugin.state", plugin: "others", state: "failed" });
    expect(heard).toEqual([{ name: "others", state: "failed" }]);
  });

  test("that fails leaves a warning, and the event's source continues", async () => {
    const { happenings, warnings, events, warn } = world();
    const run = async () => {
      throw new Error("no ink");
    };
    events.open("notes", [{ event: "settings.changed", run }], warn);
    happenings.tell({ name: "settings.changed", section: "core" });
    await settled();
    expect(warnings).toEqual(["Its listener for settings.changed failed: no ink"]);
  });

  test("that is too slow misses events instead of filling memory", async () => {
    const { happenings, warnings, events, warn } = world();
    const { promise, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const run = () => {
      begun += 1;
      return promise;
    };
    events.open("notes", [{ event: "user.login", run }], warn);
    for (let at = 0; at < 500; at += 1) happenings.tell({ name: "user.login", userId: "a" });
    expect(begun).toBe(100);
    expect(warnings).toHaveLength(1);
    resolve();
    await settled();
    happenings.tell({ name: "user.login", userId: "a" });
    expect(begun).toBe(101);
  });
});
