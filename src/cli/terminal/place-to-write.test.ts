import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, chown, lchown, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeAsRoot, nobody } from "#api/testing/other-user.ts";
import { findPlaceToWrite, saveFile } from "./save-file.ts";

const inFolder = (name: string) => join(folder, name);

/** A folder as `/tmp` is: everybody may put something there. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-test-"));
  await chmod(folder, 0o1777);
});
afterEach(() => rm(folder, { recursive: true }));

const secret = async function* () {
  yield new TextEncoder().encode("secret");
};
const save = (name: string) => saveFile(inFolder(name), secret()).catch(String);
const makePipe = (path: string) => expect(Bun.spawnSync(["mkfifo", "-m", "666", path]).exitCode).toBe(0);
const reading = (path: string) => Bun.spawn(["cat", path], { stdout: "pipe" });

describeAsRoot("in a folder where others may write", () => {
  test("another user's pipe gets nothing, whether they read it or not", async () => {
    makePipe(inFolder("token"));
    await chown(inFolder("token"), nobody, nobody);
    expect(await save("token")).toContain("token: it is another user's pipe or device");
    const reader = reading(inFolder("token"));
    try {
      expect(await save("token")).toContain("another user");
    } finally {
      reader.kill();
    }
    expect(await new Response(reader.stdout).text()).toBe("");
  });

  test("a pipe that becomes another user's, or a link, after the check gets nothing", async () => {
    for (const name of ["given", "link"]) makePipe(inFolder(name));
    const [given, link] = [
      await findPlaceToWrite(inFolder("given")),
      await findPlaceToWrite(inFolder("link")),
    ];
    await chown(inFolder("given"), nobody, nobody);
    const reader = reading(inFolder("given"));
    try {
      expect(await given.pour().catch(String)).toContain("another user");
    } finally {
      reader.kill();
    }
    await rename(inFolder("link"), inFolder("moved"));
    await symlink("/dev/null", inFolder("link"));
    expect(await link.pour().catch(String)).toContain("ELOOP");
  });

  test("another user's link is not followed, to a file, to a device or to nothing, nor through one's own", async () => {
    await writeFile(inFolder("precious"), "before");
    await symlink("precious", inFolder("to-file"));
    await symlink("/dev/null", inFolder("to-device"));
    await symlink("nothing", inFolder("to-nothing"));
    for (const name of ["to-file", "to-device", "to-nothing"]) await lchown(inFolder(name), nobody, nobody);
    await symlink("to-file", inFolder("own"));
    for (const name of ["to-file", "to-device", "to-nothing", "own"])
      expect(await save(name)).toContain("is a symbolic link created by another user");
    expect(await readFile(inFolder("precious"), "utf8")).toBe("before");
  });

  test("a user's link in their own folder is followed", async () => {
    await writeFile(inFolder("real"), "before");
    await symlink("real", inFolder("link"));
    await lchown(inFolder("link"), nobody, nobody);
    await chown(folder, nobody, nobody);
    expect(await save("link")).toBe(6);
    expect(await readFile(inFolder("real"), "utf8")).toBe("secret");
  });
});

test("links that lead round in a circle are refused in words", async () => {
  await symlink("b", inFolder("a"));
  await symlink("a", inFolder("b"));
  expect(await save("a")).toContain("its symbolic links form a loop");
});

const program = `import { saveFile } from ${JSON.stringify(join(import.meta.dir, "save-file.ts"))};
  const [path, isNew] = process.argv.slice(1);
  await saveFile(path, [new TextEncoder().encode("secret")], { isNew: isNew === "new" });
  console.log("written");`;
const inShell = (words: string) => Bun.spawnSync(["bash", "-c", words, "bash", process.execPath, program]);

test("nothing is lost where an own descriptor is a file, which the command prints into as well", async () => {
  const file = inFolder("out");
  await writeFile(file, "before");
  expect(inShell(`"$1" -e "$2" /dev/stdout new >> ${file}`).exitCode).not.toBe(0);
  expect(await readFile(file, "utf8")).toBe("before");
  expect(inShell(`"$1" -e "$2" /dev/stdout > ${file}`).exitCode).toBe(0);
  expect(await readFile(file, "utf8")).toBe("secret");
});

test("devices, own descriptors and pipes of the shell get the bytes", async () => {
  expect(await saveFile("/dev/null", secret())).toBe(6);
  const out = (words: string) => inShell(words).stdout.toString().replace("written\n", "");
  expect(out('"$1" -e "$2" /dev/stdout | cat')).toBe("secret");
  expect(out('{ "$1" -e "$2" /dev/fd/7 7>&1 >/dev/null; } | cat')).toBe("secret");
  expect(out('{ "$1" -e "$2" >(tr a-z A-Z); } | cat')).toBe("SECRET");
});
