import { afterAll, expect, test } from "bun:test";
import type { ObjectStore } from "#api/core/objects.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { makePng } from "#api/testing/images.ts";
import { withKeptImages } from "./kept-images.ts";

const folder = makeDataFolder();
afterAll(() => folder.remove());

const logo = `site/${"a".repeat(32)}/full-90x30.png`;
const bytes = makePng(90, 30);

/** A server's storage, which holds a logo and a package, or is away. */
const storage = (isAway: boolean) => {
  const stored = new Map([
    [logo, bytes],
    ["packages/a.zip", bytes],
  ]);
  const objects: ObjectStore = {
    put: async () => {},
    get: async (key) => {
      if (isAway) throw new Error("away");
      return stored.get(key) ?? null;
    },
    delete: async (key) => void stored.delete(key),
    list: async () => [],
    state: () => Promise.reject(new Error("not asked for")),
  };
  return withKeptImages(objects, folder.path);
};

test("an image of the site that was read once is there after a restart without the storage, until it is deleted", async () => {
  for (const key of [logo, "packages/a.zip"]) expect(await storage(false).get(key)).toEqual(bytes);
  const objects = storage(true);
  expect(await objects.get(logo)).toEqual(bytes);
  for (const key of ["packages/a.zip", logo.replace("full", "email")])
    expect(objects.get(key)).rejects.toThrow("away");
  await objects.delete(logo);
  expect(objects.get(logo)).rejects.toThrow("away");
});
