import { describe, expect, test } from "bun:test";
import { pluginAddress, readPluginQuery } from "./plugin-status.ts";

const read = (query: string) => readPluginQuery(new URLSearchParams(query));

describe("the address of the plugins", () => {
  test("keeps what is shown, and is plain where that is everything", () => {
    expect(pluginAddress({})).toBe("/admin/plugins");
    expect(pluginAddress({ show: "core" })).toBe("/admin/plugins?show=core");
    expect(read("show=disabled")).toEqual({ tab: "plugins", show: "disabled" });
    expect(read("tab=keys")).toEqual({ tab: "keys", show: "total" });
  });

  test("that makes no sense shows all plugins", () => {
    expect(read("tab=none&show=everything")).toEqual({ tab: "plugins", show: "total" });
  });
});
