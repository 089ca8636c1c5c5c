import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolderForEachTest } from "#api/testing/for-each-test.ts";
import { openLibc } from "./libc.ts";
import { announceEnd, lockFolder } from "./lock.ts";

const folder = dataFolderForEachTest();

const ways = { "the system's file lock": () => openLibc(), "a database transaction": () => null };

test.each(Object.entries(ways))("%s lets one in and names it to the next", async (_way, libc) => {
  expect(await lockFolder(folder.path, libc(), 0)).toEqual({ isHeld: true });
  expect(await lockFolder(folder.path, libc(), 0)).toEqual({ isHeld: false, holder: process.pid });
});

test.each(Object.entries(ways))("%s ignores lock files that were left behind", async (_way, libc) => {
  for (const name of ["lock", "lock.pid"]) writeFileSync(join(folder.path, name), "1");
  expect(await lockFolder(folder.path, libc(), 0)).toEqual({ isHeld: true });
});

test.each(Object.entries(ways))(
  "X2: %s is waited for while its holder says that it stops",
  async (_way, libc) => {
    const holder = Bun.spawn([process.execPath, "-e", holderScript(folder.path, libc() === null)], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await holder.stdout.getReader().read();
    expect(await lockFolder(folder.path, libc(), 0)).toEqual({ isHeld: false, holder: holder.pid });
    announceEnd(folder.path);
    setTimeout(() => holder.kill(), 300);
    expect(await lockFolder(folder.path, libc(), 0)).toEqual({ isHeld: true });
    // What the former holder said is not said of the next one.
    const begunAt = performance.now();
    expect(await lockFolder(folder.path, libc(), 0)).toEqual({ isHeld: false, holder: process.pid });
    expect(performance.now() - begunAt).toBeLessThan(1_000);
  },
);

/** Holds the lock in another process, says so, and waits to be killed. */
const holderScript = (path: string, isWithoutLibc: boolean): string => `
  const { lockFolder } = await import(${JSON.stringify(join(import.meta.dir, "lock.ts"))});
  const { openLibc } = await import(${JSON.stringify(join(import.meta.dir, "libc.ts"))});
  await lockFolder(${JSON.stringify(path)}, ${isWithoutLibc ? "null" : "openLibc()"}, 0);
  console.log("held");
  await Bun.stdin.text();
`;

test("a lock whose file was removed while it was waited for is none, and the next try takes another", async () => {
  const libc = openLibc();
  if (libc === null) return;
  const removed = {
    ...libc,
    tryLock: (fd: number) => {
      rmSync(join(folder.path, "lock"));
      return libc.tryLock(fd);
    },
  };
  expect(await lockFolder(folder.path, removed, 0)).toEqual({ isHeld: false, holder: null });
  expect(await lockFolder(folder.path, libc, 0)).toEqual({ isHeld: true });
});
