import { expect, test } from "bun:test";
import { readManifest } from "#contract/plugin-manifest.ts";
import { isPublicAsset } from "./is-public-asset.ts";

test("everyone may have what lies in the frontend's folders, but never the backend, wherever that lies", () => {
  const read = readManifest({
    manifestVersion: 1,
    name: "alpha",
    version: "1.0.0",
    title: "Alpha",
    backend: { entry: "dist/server.js" },
    frontend: { entry: "dist/index.js" },
    permissions: ["ui.page"],
  });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const paths = ["dist/index.js", "dist/logo.svg", "assets/font.woff2", "dist/server.js", "manifest.json"];
  expect(paths.filter((path) => isPublicAsset(read.manifest, path))).toEqual(paths.slice(0, 3));
});
