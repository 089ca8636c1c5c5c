import { expect, test } from "bun:test";
import { pluginAddress } from "./plugin-status.ts";

test("the address of the plugins is plain where everything is shown", () => {
  expect(pluginAddress({})).toBe("/admin/plugins");
  expect(pluginAddress({ show: "core" })).toBe("/admin/plugins?show=core");
});
