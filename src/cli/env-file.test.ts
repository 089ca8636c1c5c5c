import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { success } from "./testing/run.ts";

const mainFile = join(import.meta.dir, "main.ts");

let folder = "";
let calls: string[] = [];
let server: ReturnType<typeof Bun.serve>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-env-"));
  calls = [];
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ method, url, headers }) => {
      calls.push(`${method} ${new URL(url).pathname} ${headers.get("authorization")}`);
      return success([]);
    },
  });
});

afterEach(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true });
});

/** Runs the program in the folder. Bun's own reading of `.env` is off, as it is in the executable. */
const atrium = async (argv: string[], env: Record<string, string> = {}) => {
  const child = Bun.spawn([process.execPath, "--no-env-file", mainFile, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, PORT: "0", ...env },
    stdin: Buffer.from("correct-horse-battery\n"),
    stdout: "pipe",
    stderr: "pipe",
    // A command that waits for the file, or a server that starts, ends as well.
    timeout: 20_000,
  });
  const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  return { code, err };
};

test("M1: a folder's .env sends neither token nor secret to a server of its choice", async () => {
  writeFileSync(join(folder, ".env"), `ATRIUM_URL=http://127.0.0.1:${server.port}\n`);
  const argv = ["settings", "set", "credentials.redis.password", "--stdin"];
  const { code, err } = await atrium(argv, { ATRIUM_TOKEN: "atr_1" });
  expect({ code, calls }).toEqual({ code: 3, calls: [] });
  expect(err).toContain(`there is no installation in ${join(folder, "data")}`);
});

test("M1: nor is a token of the folder's shown to the server that the environment names", async () => {
  writeFileSync(join(folder, ".env"), "ATRIUM_TOKEN=atr_1\n");
  await atrium(["user", "list"], { ATRIUM_URL: `http://127.0.0.1:${server.port}` });
  expect(calls).toEqual(["GET /api/admin/users null"]);
});

test("M1: an unreadable .env ends serve with 78 and commands with 1, immediately", async () => {
  const path = join(folder, ".env");
  Bun.spawnSync(["mkfifo", path]);
  for (const [words, code] of [
    ["serve", 78],
    ["user list", 1],
  ] as const) {
    const ended = await atrium(words.split(" "));
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(`.env: is "${path}"; expected a regular file of 1 MB at most, or none`);
  }
  rmSync(path);
  writeFileSync(path, "PORT=0\n");
  chmodSync(path, 0o646);
  expect((await atrium(["serve"])).code).toBe(78);
  expect((await atrium(["--help"])).code).toBe(0);
});
