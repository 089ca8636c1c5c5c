import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { success } from "./testing/run.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const atrium = async (argv: string[]) => {
  const child = Bun.spawn([process.execPath, "--no-env-file", join(import.meta.dir, "main.ts"), ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  return { code, err };
};

describe("a data folder that is a file", () => {
  const commands = [
    ["status"],
    ["snapshot", "list"],
    ["backup", "list"],
    ["migrate", "--status"],
    ["user", "list"],
    ["settings", "get"],
    ["activity", "tail"],
    ["plugin", "enable", "firewall", "--yes"],
    ["restore", "nothing.tar.zst", "--yes"],
    ["serve"],
  ];
  test.each(commands.map((argv) => [argv.join(" "), argv] as const))(
    "is told by %s, wherever it lies",
    async (_title, argv) => {
      writeFileSync(join(folder, "file"), "");
      for (const path of [join(folder, "file"), join(folder, "file", "data")]) {
        const { code, err } = await atrium([...argv, "--data-dir", path]);
        expect([code, err]).toEqual([
          argv[0] === "serve" || argv[0] === "restore" ? 78 : 1,
          `error: The data folder ${path} cannot be used: ${path === join(folder, "file") ? "it" : join(folder, "file")} is a file. Set a folder with DATA_DIR\n`,
        ]);
      }
    },
    60_000,
  );

  test("matters to no command that asks a server elsewhere", async () => {
    writeFileSync(join(folder, "file"), "");
    const users = { users: [], pagination: { total: 0, limit: 25, offset: 0 } };
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => success(users) });
    const there = ["--url", `http://127.0.0.1:${server.port}`];
    const { code } = await atrium(["user", "list", "--data-dir", join(folder, "file"), ...there]);
    await server.stop(true);
    expect(code).toBe(0);
  });
});
