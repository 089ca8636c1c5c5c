import { describe, expect, test } from "bun:test";
import { callAddress, pageAddress } from "./call-plugin.ts";

describe("P9: a call of a plugin's frontend", () => {
  test.each([
    ["/notes", "/api/notes/notes"],
    ["/", "/api/notes/"],
    ["/a/../b?x=../../y", "/api/notes/b?x=../../y"],
    ["/a%20b", "/api/notes/a%20b"],
  ])("to %s goes to the plugin's own route", (path, address) =>
    expect(callAddress("notes", path)).toBe(address),
  );

  test.each([
    ...["", "notes", "/..", "/../admin/users", "/%2e%2e/admin", "/.%2E/admin", "/a/../../admin"],
    ...[
      "/..%2fadmin",
      "/%5c..%5cadmin",
      "/..\\admin",
      "/../notes-more/x",
      "//elsewhere.example/../../../admin",
    ],
  ])("to %s goes nowhere", (path) => expect(callAddress("notes", path)).toBeNull());
});

const notes = { plugin: "notes", base: "/admin/plugins/notes" };

describe("P9: the way that a plugin's frontend leads", () => {
  test.each([
    ["/reports", "/admin/plugins/notes/reports"],
    ["/", "/admin/plugins/notes"],
    ["", "/admin/plugins/notes"],
    ["?tab=log", "/admin/plugins/notes?tab=log"],
    ["/admin/plugins/notes", "/admin/plugins/notes"],
    ["/admin/plugins/notes/reports", "/admin/plugins/notes/reports"],
  ])("%s stays in its own page", (path, address) => expect(pageAddress(notes, path)).toBe(address));

  test.each([
    "/..",
    "/../licensing",
    "/../../users",
    "javascript:alert(1)",
    "https://elsewhere.example",
    "/\\elsewhere",
  ])("%s leads nowhere", (path) => expect(pageAddress(notes, path)).toBeNull());

  test("stays at the short address where that is on show, and leads to the plugin's details from there", () => {
    const firewall = { plugin: "firewall", base: "/admin/firewall" };
    expect(pageAddress(firewall, "/traffic?after=3")).toBe("/admin/firewall/traffic?after=3");
    expect(pageAddress(firewall, "/")).toBe("/admin/firewall");
    expect(pageAddress(firewall, "/admin/firewall/rules")).toBe("/admin/firewall/rules");
    expect(pageAddress(firewall, "/admin/plugins/firewall?tab=log")).toBe("/admin/plugins/firewall?tab=log");
    expect(pageAddress(firewall, "/admin/plugins/licensing")).toBe("/admin/firewall/admin/plugins/licensing");
    expect(pageAddress(firewall, "/../users")).toBeNull();
  });
});
