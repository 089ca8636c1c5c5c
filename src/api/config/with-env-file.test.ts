import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testAsRoot } from "#api/testing/other-user.ts";
import { ConfigError } from "./variable.ts";
import { withEnvFile } from "./with-env-file.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-env-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("the file fills in what the environment leaves out, and overrides nothing", () => {
  writeFileSync(join(folder, ".env"), 'PORT=8080\nHOST="::1" # all of it\nAPP_SECRET=a$b\nLOG_LEVEL=debug\n');
  expect(withEnvFile(folder, { PORT: "9090", LOG_LEVEL: "", HOME: undefined })).toEqual({
    PORT: "9090",
    HOST: "::1",
    APP_SECRET: "a$b",
    LOG_LEVEL: "",
  });
});

test("without the file the environment stands alone", () => {
  expect(withEnvFile(folder, { PORT: "9090" })).toEqual({ PORT: "9090" });
});

test("something unreadable in its place is a configuration problem", () => {
  mkdirSync(join(folder, ".env"));
  expect(() => withEnvFile(folder, {})).toThrow(ConfigError);
});

test("whom a command calls, and as whom, is never taken from it", () => {
  writeFileSync(join(folder, ".env"), "ATRIUM_URL=http://127.0.0.1:4999\nATRIUM_TOKEN=atr_1\nPORT=8080\n");
  expect(withEnvFile(folder, {})).toEqual({ PORT: "8080" });
  expect(withEnvFile(folder, { ATRIUM_URL: "https://atrium.example" })).toEqual({
    ATRIUM_URL: "https://atrium.example",
    PORT: "8080",
  });
});

test("a pipe in its place is refused and not waited for, and so is a file beyond 1 MB", () => {
  Bun.spawnSync(["mkfifo", join(folder, ".env")]);
  expect(() => withEnvFile(folder, {})).toThrow("expected a regular file of 1 MB at most, or none");
  rmSync(join(folder, ".env"));
  writeFileSync(join(folder, ".env"), `PORT=8080\n#${"x".repeat(1_000_000)}`);
  expect(() => withEnvFile(folder, {})).toThrow("expected a regular file of 1 MB at most, or none");
});

test("M1: one that every user may write is refused with its path and the remedy", () => {
  const path = join(folder, ".env");
  writeFileSync(path, "PORT=8080\n");
  chmodSync(path, 0o666);
  expect(() => withEnvFile(folder, {})).toThrow(ConfigError);
  expect(() => withEnvFile(folder, {})).toThrow(`chmod o-w ${path}`);
  chmodSync(path, 0o644);
  expect(withEnvFile(folder, {})).toEqual({ PORT: "8080" });
});

test("a link of one's own to such a file is followed", () => {
  writeFileSync(join(folder, "shared"), "PORT=8080\n");
  symlinkSync(join(folder, "shared"), join(folder, ".env"));
  expect(withEnvFile(folder, {})).toEqual({ PORT: "8080" });
});

testAsRoot("M1: one of another user is refused, and so is another user's link", () => {
  const path = join(folder, ".env");
  writeFileSync(path, "PORT=8080\n");
  lchownSync(path, 65_534, 65_534);
  expect(() => withEnvFile(folder, {})).toThrow("it belongs to the user with the id 65534");
  expect(() => withEnvFile(folder, {})).toThrow(`chown -h 0 ${path}`);
  rmSync(path);
  writeFileSync(join(folder, "own"), "PORT=8080\n");
  symlinkSync(join(folder, "own"), path);
  lchownSync(path, 65_534, 65_534);
  expect(() => withEnvFile(folder, {})).toThrow("it belongs to the user with the id 65534");
});
