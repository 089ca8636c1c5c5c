import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { printedByNobody, testAsRoot } from "#api/testing/other-user.ts";
import { freeBytesAt, orDiskFull, roomComplaint, sweepTrials } from "./scratch.ts";

const mb = 1024 * 1024;
const free = (count: number) => async () => count * mb;

test("a restore without enough disk space says how much is needed and how much is free", async () => {
  expect(await roomComplaint("/data", 100 * mb, free(293))).toContain("294 MB are needed, 293 MB are free");
  expect(await roomComplaint("/data", 100 * mb, free(294))).toBeNull();
});

test("the disk space of a folder that does not exist yet is that of its parent", async () => {
  expect(await freeBytesAt("/tmp/none/of/these")).toBeGreaterThan(0);
});

test("a connection that breaks on a full disk is told as a full disk, any other failure as itself", async () => {
  const broken = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
  expect(await orDiskFull(broken, "/data", free(1_000))).toBe(broken);
  const told = await orDiskFull(broken, "/data", free(10));
  expect(told).toBeInstanceOf(AppError);
  expect(told).toMatchObject({
    kind: "STORAGE_FULL",
    message: "The disk of /data is full; nothing was changed",
  });
  const noSpace = Object.assign(new Error("write"), { code: "ENOSPC" });
  expect(await orDiskFull(noSpace, "/data", free(1_000))).toMatchObject({ kind: "STORAGE_FULL" });
});

let folder: ReturnType<typeof makeDataFolder>;
beforeEach(() => {
  folder = makeDataFolder();
});
afterEach(() => folder.remove());

const soon = () => Date.now() + 61_000;
const make = (name: string): string => {
  const path = join(folder.path, name);
  mkdirSync(join(path, "database"), { recursive: true });
  return path;
};

test("what killed trials left is removed, and nothing else, nor what may just be beginning", async () => {
  const [left, other] = [make("verify-aB3_xZ"), make("database")];
  await sweepTrials(folder.path, Date.now());
  expect(existsSync(left)).toBe(true);
  await sweepTrials(folder.path, soon());
  expect([existsSync(left), existsSync(other)]).toEqual([false, true]);
});

test("what cannot be opened is passed over, and the others are removed", async () => {
  const [odd, file, left] = [
    make("verify-aaaaaa"),
    join(folder.path, "verify-bbbbbb"),
    make("verify-cccccc"),
  ];
  mkdirSync(join(odd, "lock"));
  writeFileSync(file, "");
  await sweepTrials(folder.path, soon());
  expect([existsSync(odd), existsSync(file), existsSync(left)]).toEqual([true, true, false]);
});

testAsRoot("what belongs to another user stays, and ends nothing", async () => {
  writeFileSync(join(make("verify-dddddd"), "lock"), "1\n");
  make("verify-eeeeee");
  chmodSync(folder.path, 0o755);
  const printed = await printedByNobody(
    { "{ sweepTrials }": join(import.meta.dir, "scratch.ts") },
    `await sweepTrials(${JSON.stringify(folder.path)}, ${soon()}); console.log("swept");`,
  );
  expect(printed).toBe("swept\n");
  expect(readdirSync(folder.path).sort()).toEqual(["verify-dddddd", "verify-eeeeee"]);
});
