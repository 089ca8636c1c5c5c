import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { printedByNobody, testAsRoot } from "#api/testing/other-user.ts";
import { sweepTrials } from "./sweep-trials.ts";

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

testAsRoot("what belongs to somebody else stays, and ends nothing", async () => {
  writeFileSync(join(make("verify-dddddd"), "lock"), "1\n");
  make("verify-eeeeee");
  chmodSync(folder.path, 0o755);
  const printed = await printedByNobody(
    { "{ sweepTrials }": join(import.meta.dir, "sweep-trials.ts") },
    `await sweepTrials(${JSON.stringify(folder.path)}, ${soon()}); console.log("swept");`,
  );
  expect(printed).toBe("swept\n");
  expect(readdirSync(folder.path).sort()).toEqual(["verify-dddddd", "verify-eeeeee"]);
});
