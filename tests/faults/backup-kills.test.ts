import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readArchive } from "#api/backups/archive/read-archive.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { until } from "#api/testing/until.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, startServer, temporaryFolder } from "../driver/start-server.ts";

setDefaultTimeout(120_000);

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) removeFolder(folder);
});

/** Sends contact messages until `isOver`; resolves to the names of those that were acknowledged, with the time. */
const load = async (url: string, acknowledged: { name: string; atMs: number }[], isOver: () => boolean) => {
  for (let number = 0; !isOver(); number += 1) {
    const name = `Writer ${number}`;
    const body = { name, email: "ada@example.com", subject: "Sales", message: `Message ${number}` };
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/contact`, { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status === 201) acknowledged.push({ name, atMs: performance.now() });
  }
};

/** Leaves so much that cannot be compressed that making a backup takes a while. */
const fill = async (dataDir: string): Promise<void> => {
  const noise = randomBytes(1_500_000).toString("base64");
  const zip = await packPlugin({ name: "large", files: { "assets/noise.txt": noise } });
  expect(await asOperator(dataDir).upload(zip)).toMatchObject({ status: 201 });
};

const draftsIn = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith("backup-"));

const textIn = async (file: string): Promise<string> => {
  const archive = await readArchive(Bun.file(file).stream());
  const texts: string[] = [];
  for await (const { name, bytes } of archive.entries)
    if (name.startsWith("tables/contact_messages/")) texts.push(new TextDecoder().decode(bytes));
  return texts.join("\n");
};

test("X15: a backup under load holds all that was acknowledged before; a server killed while making one lists nothing of it", async () => {
  const server = await startServer();
  folders.push(server.dataDir, temporaryFolder());
  const env = { DATA_DIR: server.dataDir };
  let isOver = false;
  const acknowledged: { name: string; atMs: number }[] = [];
  const loading = load(server.url, acknowledged, () => isOver);
  await until(() => acknowledged.length > 10);
  const startedAtMs = performance.now();
  const file = join(folders[1] ?? "", "atrium.tar.zst");
  const made = await runCommand(["backup", "--out", file], { env });
  isOver = true;
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
  await loading;
  const before = acknowledged.filter(({ atMs }) => atMs < startedAtMs);
  const stored = await textIn(file);
  expect(before.length).toBeGreaterThan(3);
  expect(before.filter(({ name }) => !stored.includes(`"${name}"`))).toEqual([]);

  await fill(server.dataDir);
  const making = runCommand(["backup", "--keep"], { env });
  let isMade = false;
  void making.then(() => {
    isMade = true;
  });
  while (draftsIn(server.dataDir).length === 0 && !isMade) await Bun.sleep(1);
  await server.stop("SIGKILL");
  expect(draftsIn(server.dataDir)).not.toEqual([]);
  expect((await making).exitCode).not.toBe(0);
  const again = await startServer({ dataDir: server.dataDir });
  await until(() => draftsIn(server.dataDir).length === 0);
  const { backups } = JSON.parse((await runCommand(["backup", "list", "--json"], { env })).stdout);
  expect(backups).toEqual([]);
  await again.stop();
});
