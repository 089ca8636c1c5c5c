import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { projectRoot } from "../project-root.ts";
import { leanIcon } from "./vite-plugins.ts";

const folder = join(projectRoot, "node_modules/lucide-react/dist/esm/icons");
const files = readdirSync(folder).filter((name) => name.endsWith(".mjs"));

const drawingOf = (markup: string) => markup.replace(/^<svg[^>]*>|<\/svg>$/g, "").replace(/><\/\w+>/g, "/>");

test("every icon of the package is drawn as the package draws it", async () => {
  let count = 0;
  for (const file of files) {
    const path = join(folder, file);
    const code = leanIcon(readFileSync(path, "utf8"), path);
    if (code === null) continue;
    count += 1;
    const markup: unknown = JSON.parse(/icon\((".*")\);$/.exec(code)?.[1] ?? "null");
    const { default: Icon } = await import(path);
    expect([file, markup]).toEqual([file, drawingOf(renderToStaticMarkup(createElement(Icon)))]);
  }
  expect(count).toBeGreaterThan(1_000);
}, 30_000);

test("a file that passes on another icon stays as it is", () => {
  expect(leanIcon("export { default } from './circle-alert.mjs';", "alert-circle.mjs")).toBeNull();
});

test("an icon whose drawing is not found stops the build", () => {
  expect(() => leanIcon("createLucideIcon(somethingElse)", "new.mjs")).toThrow("new.mjs has no drawing");
});
