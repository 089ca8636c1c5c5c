import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "#api/testing/until.ts";
import { programIn } from "../driver/program.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";

setDefaultTimeout(120_000);

let server: ServerProcess;
const folder = temporaryFolder();
const file = join(folder, "atrium.tar.zst");
const env = () => ({ DATA_DIR: server.dataDir });

beforeAll(async () => {
  server = await startServer();
  await fill(server.url);
  const made = await runCommand(["backup", "--out", file], { env: env() });
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.dataDir);
  removeFolder(folder);
});

/** Leaves so much that cannot be compressed that a backup has more than one block, which zstd gives out whole or not at all. */
const fill = async (url: string) => {
  const headers = { "content-type": "application/json" };
  for (let number = 0; number < 90; number += 1) {
    const message = crypto.getRandomValues(new Uint8Array(1_400)).toBase64();
    const body = JSON.stringify({ name: "Ada", email: "ada@example.com", subject: "Sales", message });
    const answer = await fetch(`${url}/api/contact`, { method: "POST", headers, body });
    expect(answer.status).toBe(201);
  }
};

/** Sends Ctrl-C to a command once `isUnderWay`; `input` is given and standard input left open. */
const interrupted = async (
  words: string[],
  { input = null, isUnderWay }: { input?: Uint8Array | null; isUnderWay: () => boolean },
) => {
  const child = Bun.spawn([...programIn(), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env() },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  if (input !== null) child.stdin.write(input);
  child.stdin.flush();
  // A snapshot of little is made within some milliseconds.
  while (!isUnderWay() && child.exitCode === null) await Bun.sleep(1);
  child.kill("SIGINT");
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, stdout, stderr };
};

const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);
const drafts = () => readdirSync(server.dataDir).filter((name) => /^(?:backup-|restore|verify-)/.test(name));

test("X15: Ctrl-C while a server makes a backup cancels it; nothing of it is left, and the server keeps running", async () => {
  for (const [place, words] of Object.entries({ file: ["--out", join(folder, "no")], folder: ["--keep"] })) {
    const ended = await interrupted(["backup", ...words], { isUnderWay: () => drafts().length > 0 });
    expect([place, ended.exitCode, ended.stdout]).toEqual([place, 130, ""]);
    expect(ended.stderr).toBe("error: canceled; no backup was created\n");
    await until(() => drafts().length === 0);
    const { backups, run } = JSON.parse(
      (await runCommand(["backup", "list", "--json"], { env: env() })).stdout,
    );
    expect(backups).toEqual([]);
    expect(run).toMatchObject({ state: "failed", name: null, error: "The backup was canceled" });
  }
  expect(namesIn(join(server.dataDir, "backups")).filter((name) => name !== "handover")).toEqual([]);
  expect(namesIn(join(server.dataDir, "backups/handover"))).toEqual([]);
  expect(readdirSync(folder)).toEqual(["atrium.tar.zst"]);
  const again = await runCommand(["backup", "--out", join(folder, "again.tar.zst")], { env: env() });
  expect([again.exitCode, again.stderr]).toEqual([0, ""]);
});

test("X15: Ctrl-C in the middle of a trial restore, beside a server, leaves nothing of it", async () => {
  const bytes = await Bun.file(file).bytes();
  const ended = await interrupted(["restore", "-", "--verify"], {
    input: bytes.subarray(0, -1_000),
    isUnderWay: () => drafts().length > 0,
  });
  expect(ended).toEqual({ exitCode: 130, stdout: "", stderr: "error: canceled; nothing was changed\n" });
  expect(drafts()).toEqual([]);
});

test("Ctrl-C while a server makes a snapshot leaves that to the server, which keeps it whole", async () => {
  const folderOfThem = join(server.dataDir, "snapshots");
  const before = namesIn(folderOfThem);
  const ended = await interrupted(["snapshot", "create"], {
    isUnderWay: () => namesIn(folderOfThem).some((name) => name.endsWith(".part")),
  });
  expect([ended.exitCode, ended.stdout]).toEqual([130, ""]);
  expect(ended.stderr).toBe("the server continues making the snapshot\nerror: canceled\n");
  await until(() => namesIn(folderOfThem).length > before.length);
  await until(() => !namesIn(folderOfThem).some((name) => name.endsWith(".part")));
});

test("X15: without a server Ctrl-C in the middle of a restore, a backup or a snapshot leaves what was there", async () => {
  await server.stop();
  const before = readdirSync(server.dataDir).sort();
  const snapshots = namesIn(join(server.dataDir, "snapshots"));
  const bytes = await Bun.file(file).bytes();
  const restore = await interrupted(["restore", "-", "--yes"], {
    input: bytes.subarray(0, -1_000),
    isUnderWay: () => existsSync(join(server.dataDir, "restore.part/database/PG_VERSION")),
  });
  expect(restore).toEqual({ exitCode: 130, stdout: "", stderr: "error: canceled; nothing was changed\n" });
  const backup = await interrupted(["backup", "--keep"], { isUnderWay: () => drafts().length > 0 });
  expect([backup.exitCode, backup.stderr]).toEqual([130, "error: canceled; no backup was created\n"]);
  const snapshot = await interrupted(["snapshot", "create"], {
    isUnderWay: () => namesIn(join(server.dataDir, "snapshots")).some((name) => name.endsWith(".part")),
  });
  expect([snapshot.exitCode, snapshot.stderr]).toEqual([130, "error: canceled\n"]);
  expect(namesIn(join(server.dataDir, "snapshots"))).toEqual(snapshots);
  expect(drafts()).toEqual([]);
  expect(readdirSync(server.dataDir).sort()).toEqual(before);
  server = await startServer({ dataDir: server.dataDir });
});
