import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { toolsFor } from "#cli/testing/restore-tools.ts";
import { refusal, run } from "#cli/testing/run.ts";

const folder = makeDataFolder();
afterAll(folder.remove);
const file = join(folder.path, "atrium.tar.zst");
writeFileSync(file, "bytes of a backup");

test.each([
  ["ArchiveError", 1],
  ["UnusableKeyError", 78],
  ["UnfitDatabaseError", 78],
  ["DataFolderInUseError", 75],
])(
  "a %s ends it with %i: 78 is for what the installation itself is not fit for, 1 for what was handed in",
  async (name, code) => {
    const restore = () => Promise.reject(Object.assign(new Error("no"), { name }));
    expect((await run(["restore", file, "--yes"], toolsFor({ restore }).world)).code).toBe(code);
  },
);

test("a look and a proof exclude each other: neither is left out silently", async () => {
  const { asked, world } = toolsFor();
  const { code, err } = await run(["restore", file, "--verify", "--plan"], world);
  expect([code, err, asked]).toEqual([2, expect.stringContaining("either --plan or --verify"), []]);
});

const name = "atrium-20261121T030000Z-0a1b2c.tar.zst";

test.each([
  [409, "CONFLICT", "No object storage is configured to save backups to", "name the bucket with --bucket"],
  [404, "NOT_FOUND", "Not found", `This backup doesn't exist in object storage: ${name}`],
])(
  "what a running server answers with %i about a stored backup is told in words for a restore",
  async (status, kind, said, told) => {
    const server = Bun.serve({
      unix: join(folder.path, "control.sock"),
      fetch: () => refusal(status, kind, said),
    });
    try {
      const env = { DATA_DIR: folder.path };
      const { code, err } = await run(["restore", name, "--from-storage", "--plan"], {
        ...toolsFor().world,
        env,
      });
      expect([code, err]).toEqual([1, expect.stringContaining(told)]);
      expect(err).not.toContain(`${said}\n`);
    } finally {
      await server.stop(true);
    }
  },
);

test("a path is no name of a stored backup", async () => {
  const { asked, world } = toolsFor();
  const { code, err } = await run(["restore", `/backup/${name}`, "--from-storage", "--yes"], world);
  expect([code, err, asked]).toEqual([2, expect.stringContaining("not a path"), []]);
});
