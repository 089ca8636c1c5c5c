import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkLeftovers, checkSocket } from "./check-folder.ts";

let folder = "";
const inAnHour = () => new Date(Date.now() + 61 * 60_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-doctor-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("files of interrupted work and former databases are named with the command that removes them", () => {
  mkdirSync(join(folder, "database"));
  mkdirSync(join(folder, "database.replaced-20261120T184012Z"));
  for (const name of ["app.key", "seed.tmp", "backup.1a2b.part"]) writeFileSync(join(folder, name), "");
  const check = checkLeftovers(folder, inAnHour());
  expect(check).toMatchObject({ state: "warn", detail: expect.stringContaining("backup.1a2b.part") });
  expect(check.remedy).toBe(
    "once the installation works without them: rm -r " +
      ["backup.1a2b.part", "database.replaced-20261120T184012Z", "seed.tmp"]
        .map((name) => join(folder, name))
        .join(" "),
  );
});

test("the command that removes them works as it is printed, whatever the folder is called", () => {
  const odd = join(folder, "it's my data");
  mkdirSync(odd);
  writeFileSync(join(odd, "seed.tmp"), "");
  expect(checkLeftovers(odd, inAnHour()).remedy).toEndWith(`: rm -r '${folder}/it'\\''s my data/seed.tmp'`);
});

test("trial restores and restores that were killed are named as well", () => {
  for (const name of ["verify-aB3xZ9", "restore.part", "verify-notes"]) mkdirSync(join(folder, name));
  const { detail } = checkLeftovers(folder, inAnHour());
  expect(detail).toBe(`restore.part, verify-aB3xZ9 in ${folder}`);
  expect(checkLeftovers(folder, new Date()).state).toBe("ok");
});

test("what may be at work still is left alone, and a folder that is not there has none", () => {
  writeFileSync(join(folder, "seed.tmp"), "");
  expect(checkLeftovers(folder, new Date()).state).toBe("ok");
  expect(checkLeftovers(join(folder, "absent"), inAnHour()).state).toBe("ok");
});

test("a socket without a server is told of, which hinders no start", () => {
  const path = join(folder, "control.sock");
  expect(checkSocket(path, false).detail).toBe("no server is running");
  writeFileSync(path, "");
  expect(checkSocket(path, false)).toMatchObject({
    state: "ok",
    detail: expect.stringContaining("replaces it"),
  });
  expect(checkSocket(path, true).detail).toBe("answers");
});
