import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { watchFreeSpace } from "./free-space.ts";

/** The first measurement of a folder's file system. */
const measure = async (folder: string) => {
  const measured = Promise.withResolvers<void>();
  const space = watchFreeSpace(folder, measured.resolve);
  await measured.promise;
  space.stop();
  return space;
};

test("a file system with free space is not low", async () => {
  const space = await measure(tmpdir());
  expect(space.bytes).toBeGreaterThan(64 * 1024 * 1024);
  expect(space.isLow).toBe(false);
});

test("a file system without free space is low", async () => {
  expect(await measure("/proc")).toMatchObject({ bytes: 0, isLow: true });
});

test("a file system that cannot be measured does not stop writes", async () => {
  expect(await measure("/nowhere")).toMatchObject({ bytes: null, isLow: false });
});
