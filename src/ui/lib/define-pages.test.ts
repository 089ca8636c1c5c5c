import { expect, spyOn, test } from "bun:test";
import { openPages } from "#ui/testing/pages.ts";
import { definePages, type PageRoute } from "./define-pages.ts";

const open = openPages();

const declared = definePages("boats", [
  {
    path: "/boats",
    title: "Boats",
    access: "public",
    source: "boats-page.tsx",
    load: async () => () => {
      throw new Error("it sank");
    },
  },
  {
    path: "/admin/boats",
    title: "Boats",
    access: "admin",
    source: "all-page.tsx",
    load: async () => () => null,
  },
]);

test("a page has the frame of those who may see it, and its code in the feature's folder", () => {
  expect(declared.map(({ shell, skeleton, source }) => [shell, skeleton, source])).toEqual([
    ["site", "article", "../plugins/boats/boats-page.tsx"],
    ["admin", "table", "../plugins/boats/all-page.tsx"],
  ]);
});

test("one that throws while it is shown is contained: it says so, and the menus stay", async () => {
  const told = spyOn(console, "error").mockImplementation(() => {});
  const { routes } = await import("#ui/routes.tsx");
  const list = routes as PageRoute[];
  list.push(...declared);
  try {
    const page = await open("/boats");
    await page.shows("Something went wrong on this page");
    await page.follow("Write to us");
    await page.isAt("/contact");
    await page.hides("Something went wrong on this page");
  } finally {
    list.splice(-declared.length);
    told.mockRestore();
  }
});
