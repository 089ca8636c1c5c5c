import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
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
