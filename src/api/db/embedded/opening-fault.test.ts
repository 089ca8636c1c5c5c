import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { makingFault, openingFault } from "./cluster-folder.ts";

const data = makeDataFolder();
afterAll(data.remove);
const folder = join(data.path, "database");
const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

test("a first start on a full disk says so, as one on a database that is there, and may be tried again", async () => {
  expect(await makingFault(folder, full)).toEqual({
    text: `The database in ${folder} could not be created: the disk is full. Free up disk space`,
    isFinal: false,
  });
  expect(await openingFault(folder, full, true)).toEqual({
    text: `The database in ${folder} could not be opened (ENOSPC: no space left on device, write): the disk is full. Free up disk space`,
    isFinal: false,
  });
  expect(existsSync(folder)).toBe(false);
});

test("anything else is told by its first words alone", async () => {
  const odd = new Error("the seed is cut short\n  242 | if (typeof offset");
  expect((await makingFault(folder, odd)).text).toBe(
    `The database in ${folder} could not be created (the seed is cut short)`,
  );
});
