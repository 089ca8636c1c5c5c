import { expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import { freeBytesAt, orDiskFull, roomComplaint } from "./scratch-room.ts";

const mb = 1024 * 1024;
const free = (count: number) => async () => count * mb;

test("a restore for which there is too little room says how much is needed and how much there is", async () => {
  expect(await roomComplaint("/data", 100 * mb, free(293))).toContain("294 MB are needed, 293 MB are free");
  expect(await roomComplaint("/data", 100 * mb, free(294))).toBeNull();
});

test("the room of a folder that is yet to be made is that of the one above it", async () => {
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
