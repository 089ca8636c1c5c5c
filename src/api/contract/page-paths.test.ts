import { describe, expect, test } from "bun:test";
import { isBelowPage } from "./page-paths.ts";

const page = "/admin/plugins/*";

describe("a page for all addresses below a folder", () => {
  test.each(["/admin/plugins/firewall", "/admin/plugins/no-such", "/admin/plugins/notes/reports/2026-11"])(
    "is at %s",
    (address) => expect(isBelowPage(address, page)).toBe(true),
  );

  test.each([
    ...["/admin/plugins", "/admin/plugins/", "/admin/plugins/firewall/", "/admin/plugins//firewall"],
    ...["/admin/plugins/a.js", "/admin/plugins/../users", "/admin/plugins/%2e%2e/users", "/admin/pluginsfoo"],
    ...["/admin/plugins/<b>", "/admin/users"],
  ])("is not at %s", (address) => expect(isBelowPage(address, page)).toBe(false));

  test("is none without its ending", () => {
    expect(isBelowPage("/admin/plugins", "/admin/plugins")).toBe(false);
    expect(isBelowPage("/admin/plugins/x", "/admin/plugins/")).toBe(false);
  });
});
