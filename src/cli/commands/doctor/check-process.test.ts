import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkProcess } from "./check-machine.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-doctor-"));
  mkdirSync(join(folder, "proc/77"), { recursive: true });
  writeFileSync(join(folder, "lock"), "77\n");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const judge = (openFiles: string, environment: string[]) => {
  writeFileSync(
    join(folder, "proc/77/limits"),
    `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${openFiles.padEnd(21)}524288               files\n`,
  );
  writeFileSync(join(folder, "proc/77/environ"), environment.join("\0"));
  return checkProcess(folder, true, join(folder, "proc"));
};

test("a server that may open few files is a warning that names the limit and where to raise it", () => {
  expect(judge("1024", [])[0]).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("1024"),
    remedy: expect.stringContaining("LimitNOFILE"),
  });
  expect(judge("65536", [])[0]).toMatchObject({ state: "ok" });
  expect(judge("unlimited", [])[0]).toMatchObject({ state: "ok" });
});

test("human-readable lines in the journal are a warning; nothing of the environment is shown", () => {
  const secret = "APP_SECRET=q7Yt2kLz9Vb4";
  const [, log] = judge("65536", ["JOURNAL_STREAM=8:9", "LOG_FORMAT=pretty", secret]);
  expect(log).toMatchObject({ name: "log", state: "warn", remedy: expect.stringContaining("LOG_FORMAT") });
  expect(JSON.stringify(log)).not.toContain("q7Yt2kLz9Vb4");
  expect(judge("65536", ["JOURNAL_STREAM=8:9"])[1]).toMatchObject({ state: "ok" });
});

test("nothing is said of a server that does not run, or cannot be looked at", () => {
  expect(checkProcess(folder, false, join(folder, "proc"))).toEqual([]);
  expect(checkProcess(folder, true, join(folder, "elsewhere"))).toEqual([]);
});
