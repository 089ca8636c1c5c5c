import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkClock,
  checkDataFolder,
  checkFreeSpace,
  checkKeyFile,
  checkLock,
  checkPasswordFilter,
} from "./check-folder.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-doctor-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("the data folder", () => {
  test("is fine when it is ours alone, or when the first start can make it", () => {
    expect(checkDataFolder(folder)).toMatchObject({ state: "ok", detail: `${folder}, writable, mode 0700` });
    expect(checkDataFolder(join(folder, "a/b"))).toMatchObject({ state: "ok", remedy: null });
  });

  test("is warned about when other users may look in, with the command that ends it", () => {
    chmodSync(folder, 0o750);
    expect(checkDataFolder(folder)).toMatchObject({ state: "warn", remedy: `chmod 700 ${folder}` });
  });

  test("is called in commands so that a shell takes it for one word", () => {
    const odd = join(folder, "my data");
    mkdirSync(odd, { mode: 0o755 });
    chmodSync(odd, 0o755);
    expect(checkDataFolder(odd)).toMatchObject({ state: "warn", remedy: `chmod 700 '${odd}'` });
    writeFileSync(join(odd, "app.key"), "x");
    chmodSync(join(odd, "app.key"), 0o644);
    expect(checkKeyFile(odd, false, true)).toMatchObject({ remedy: `chmod 600 '${odd}/app.key'` });
  });

  test("fails when it is a file", () => {
    writeFileSync(join(folder, "file"), "");
    expect(checkDataFolder(join(folder, "file")).state).toBe("fail");
  });

  test("is looked at for free space, also before it exists", () => {
    expect(checkFreeSpace(join(folder, "a/b")).detail).toMatch(/ (?:M|G|T)B free$/);
  });
});

test("a filter of breached passwords is named with its size and date, and fails when it is damaged", () => {
  expect(checkPasswordFilter(null)).toEqual([]);
  const facts = {
    path: join(folder, "breached-passwords"),
    sizeBytes: 262_158,
    madeAt: "2026-11-20T18:40:00Z",
  };
  expect(checkPasswordFilter({ ...facts, passwords: 2 })).toMatchObject([
    { state: "ok", detail: "a filter of 2 passwords, 262 kB, made 2026-11-20 18:40Z" },
  ]);
  expect(checkPasswordFilter({ ...facts, fault: "the file is incomplete" })).toMatchObject([
    { state: "fail", remedy: "make it again: atrium passwords build-filter FILE" },
  ]);
});

describe("the key file", () => {
  test("may be absent before the first start, and when APP_SECRET holds the key", () => {
    expect(checkKeyFile(folder, false, false).state).toBe("ok");
    expect(checkKeyFile(folder, true, true)).toMatchObject({ state: "ok", detail: "from APP_SECRET" });
  });

  test("warns when it is gone though there is a database", () => {
    expect(checkKeyFile(folder, false, true)).toMatchObject({
      state: "warn",
      remedy: expect.stringContaining("backup"),
    });
  });

  test("fails when other users can read it", () => {
    const path = join(folder, "app.key");
    writeFileSync(path, "x", { mode: 0o600 });
    expect(checkKeyFile(folder, false, true).state).toBe("ok");
    for (const mode of [0o644, 0o640]) {
      chmodSync(path, mode);
      expect(checkKeyFile(folder, false, true)).toMatchObject({ state: "fail", remedy: `chmod 600 ${path}` });
    }
  });
});

describe("the lock", () => {
  test("is free when it was never taken, and when its holder has gone", () => {
    expect(checkLock(folder, false)).toMatchObject({ state: "ok", detail: "free" });
    writeFileSync(join(folder, "lock"), "1");
    expect(checkLock(folder, false).detail).toBe("free");
  });

  test("names its holder, and warns when that answers on no control socket", async () => {
    const path = join(folder, "lock");
    writeFileSync(path, "");
    const holder = Bun.spawn(
      ["flock", "--no-fork", "--exclusive", path, "sh", "-c", "echo held; read line"],
      {
        stdin: "pipe",
        stdout: "pipe",
      },
    );
    await holder.stdout.getReader().read();
    expect(checkLock(folder, false)).toMatchObject({
      state: "warn",
      detail: expect.stringContaining(`pid ${holder.pid}`),
    });
    expect(checkLock(folder, true)).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("running server"),
    });
    holder.stdin.end();
    await holder.exited;
    expect(checkLock(folder, false).detail).toBe("free");
  });
});

test("a clock behind the installation's own files is warned about", () => {
  mkdirSync(join(folder, "database"));
  writeFileSync(join(folder, "app.key"), "x");
  const now = new Date("2026-11-20T12:00:00Z");
  utimesSync(join(folder, "app.key"), now, new Date("2026-11-20T12:04:00Z"));
  expect(checkClock(folder, now).state).toBe("ok");
  utimesSync(join(folder, "app.key"), now, new Date("2026-11-21T12:00:00Z"));
  expect(checkClock(folder, now)).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("2026-11-21"),
  });
});
