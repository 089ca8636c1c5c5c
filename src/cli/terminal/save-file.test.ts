import { afterEach, beforeEach, expect, test } from "bun:test";
import { lstat, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
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
  expect(await onFolder.catch(String)).toContain(`cannot write ${folder}: it is a folder`);
  expect(await readdir(folder)).toEqual([]);
});

test("a link stays one, and the file that it leads to is replaced", async () => {
  await writeFile(join(folder, "real.csv"), "before");
  await symlink("real.csv", join(folder, "link.csv"));
  expect(await saveFile(join(folder, "link.csv"), parts("after"))).toBe(5);
  expect((await lstat(join(folder, "link.csv"))).isSymbolicLink()).toBeTrue();
  expect(await textOf("real.csv")).toBe("after");
  await symlink("nowhere.csv", join(folder, "loose.csv"));
  const saving = saveFile(join(folder, "loose.csv"), parts("after"));
  expect(await saving.catch(String)).toContain("it is a symbolic link to a missing file");
  expect((await readdir(folder)).sort()).toEqual(["link.csv", "loose.csv", "real.csv"]);
});

test("a new file is never written over one that is there, nor over one that came meanwhile", async () => {
  const path = join(folder, "new.csv");
  expect(await saveFile(path, parts("one"), { isNew: true })).toBe(3);
  await symlink("new.csv", join(folder, "link.csv"));
  for (const name of ["new.csv", "link.csv"]) {
    const refused = await saveFile(join(folder, name), parts("two"), { isNew: true }).catch(String);
    expect(refused).toContain(`${name} already exists and is not overwritten`);
  }
  const late = async function* () {
    yield* parts("two");
    await writeFile(join(folder, "late.csv"), "another user's");
  };
  expect(await saveFile(join(folder, "late.csv"), late(), { isNew: true }).catch(String)).toContain(
    "already exists",
  );
  expect([await textOf("new.csv"), await textOf("late.csv")]).toEqual(["one", "another user's"]);
  expect((await readdir(folder)).sort()).toEqual(["late.csv", "link.csv", "new.csv"]);
});

test("a pipe gets the bytes and stays a pipe", async () => {
  const pipe = join(folder, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  const reader = Bun.spawn(["cat", pipe], { stdout: "pipe" });
  expect(await saveFile(pipe, parts("one,", "two"))).toBe(7);
  expect(await new Response(reader.stdout).text()).toBe("one,two");
  expect((await lstat(pipe)).isFIFO()).toBeTrue();
  expect(await readdir(folder)).toEqual(["pipe"]);
});
