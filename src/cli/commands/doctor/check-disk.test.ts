import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFileSystem, checkInodes } from "./check-machine.ts";

const folder = join(tmpdir(), "not-there-yet");
const judge = (type: number, isEmbedded: boolean) => checkFileSystem(folder, isEmbedded, () => ({ type }));

test("free inodes are counted, also before the folder exists", () => {
  expect(checkInodes(folder)).toMatchObject({ name: "free inodes", state: "ok" });
});

test("a network disk is a warning under the embedded database, and fine with PostgreSQL", () => {
  expect(judge(0x6969, true)).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("NFS"),
    remedy: expect.stringContaining("DATABASE_URL"),
  });
  expect(judge(0x6969, false)).toMatchObject({ state: "ok", detail: "NFS" });
  expect(judge(0xff534d42 | 0, true).state).toBe("warn");
});

test("what is gone with the container or the machine's restart is a warning whatever the database is", () => {
  for (const isEmbedded of [true, false])
    expect(judge(0x794c7630, isEmbedded)).toMatchObject({
      state: "warn",
      remedy: expect.stringContaining("volume"),
    });
  expect(judge(0x01021994, true).detail).toContain("tmpfs");
});

test("a local disk is fine", () => {
  expect(judge(0xef53, true).state).toBe("ok");
});
