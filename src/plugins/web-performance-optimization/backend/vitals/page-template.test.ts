import { expect, test } from "bun:test";
import { createPageTemplate, otherPages } from "./page-template.ts";

const pages = new Set(["/", "/about", "/admin", "/admin/plugins"]);
const folders = ["/admin/plugins/", "/admin/firewall/"];
const isPage = (path: string) => pages.has(path) || folders.some((folder) => path.startsWith(folder));

test("a page is itself, and one of a folder is its folder's", () => {
  const templateOf = createPageTemplate(isPage);
  expect(["/", "/about", "/admin/plugins"].map(templateOf)).toEqual(["/", "/about", "/admin/plugins"]);
  expect(templateOf("/admin/plugins/visitor-notes")).toBe("/admin/plugins/*");
  expect(templateOf("/admin/plugins/visitor-notes/reports")).toBe("/admin/plugins/*");
});

test("whatever visitors make up becomes one and the same", () => {
  const templateOf = createPageTemplate(isPage);
  const made = ["/no", "", "nonsense", "/about/", "/about/1", "//", "/__proto__", "/%2e%2e", "*", "/*"];
  expect(new Set(made.map(templateOf))).toEqual(new Set([otherPages]));
  const many = Array.from({ length: 5_000 }, (_, at) => templateOf(`/admin/plugins/${at}`));
  expect(new Set(many)).toEqual(new Set(["/admin/plugins/*"]));
});
