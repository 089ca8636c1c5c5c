import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveFile } from "./save-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

const parts = async function* (...texts: (string | Error)[]) {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield new TextEncoder().encode(text);
  }
};
const textOf = (name: string) => Bun.file(join(folder, name)).text();

test("a file is written whole, for its owner alone, in the place of what was there", async () => {
  await writeFile(join(folder, "a.csv"), "something longer from before", { mode: 0o644 });
  expect(await saveFile(join(folder, "a.csv"), parts("one,", "two\r\n"))).toBe(9);
  expect(await textOf("a.csv")).toBe("one,two\r\n");
  expect((await stat(join(folder, "a.csv"))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["a.csv"]);
});

test("a file that breaks off leaves what was there, and nothing beside it", async () => {
  await writeFile(join(folder, "a.csv"), "before");
  const saving = saveFile(join(folder, "a.csv"), parts("one,", new Error("broken off")));
  expect(await saving.catch(String)).toContain("broken off");
  expect(await textOf("a.csv")).toBe("before");
  expect(await readdir(folder)).toEqual(["a.csv"]);
});

test("a place that cannot be written to is named, with the reason", async () => {
  const inNoFolder = saveFile(join(folder, "none", "a.csv"), parts("one"));
  expect(await inNoFolder.catch(String)).toContain(`cannot write ${folder}/none/a.csv (ENOENT)`);
  const onFolder = saveFile(folder, parts("one"));
  expect(await onFolder.catch(String)).toContain(`cannot write ${folder} (`);
  expect(await readdir(folder)).toEqual([]);
});
