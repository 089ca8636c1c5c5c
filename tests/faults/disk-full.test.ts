import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mails, pendingRegistrations } from "#api/db/schema.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { readRows } from "../driver/read-rows.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";

const password = "a rather fine long password";
const isRoot = process.getuid?.() === 0;
let dataDir: string;

const command = (words: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(words);
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stderr.toString()}`);
};

beforeAll(() => {
  dataDir = temporaryFolder();
  if (isRoot) command(["mount", "-t", "tmpfs", "-o", "size=96m,mode=700", "tmpfs", dataDir]);
});
afterAll(() => {
  if (isRoot) command(["umount", "-l", dataDir]);
  removeFolder(dataDir);
});

const fill = (): void => {
  const piece = Buffer.alloc(1024 * 1024);
  try {
    for (let number = 0; number < 200; number += 1) writeFileSync(join(dataDir, `filler-${number}`), piece);
  } catch {
    // Full, as wanted.
  }
};

const empty = (): void => {
  for (let number = 0; number < 200; number += 1) rmSync(join(dataDir, `filler-${number}`), { force: true });
};

const register = async (person: Person, email: string): Promise<number> =>
  (await person.call("POST", "/api/auth/register", { name: "Ada", email, password })).status;

const signedInAdmin = async (server: ServerProcess): Promise<Person> => {
  const words = ["admin", "create", "--email", "ada@example.test", "--name", "Ada", "--password-stdin"];
  await runCommand(words, { env: { DATA_DIR: dataDir }, input: `${password}\n` });
  const admin = createPerson(server.url);
  await admin.call("POST", "/api/auth/login", { email: "ada@example.test", password });
  return admin;
};

// Mounting a small file system needs root.
describe.skipIf(!isRoot)("X3: a full disk", () => {
  test("refuses writes with a reason, goes on reading, loses nothing, and heals by itself", async () => {
    const server = await startServer({ dataDir });
    const admin = await signedInAdmin(server);
    const visitor = createPerson(server.url);
    const acknowledged: string[] = [];
    const refusals = new Set<number>();
    let slowestReadMs = 0;
    let number = 0;

    const write = async () => {
      number += 1;
      const email = `full-${number}@example.test`;
      const status = await register(visitor, email);
      if (status === 201) acknowledged.push(email);
      else refusals.add(status);
      return status;
    };
    const read = async () => {
      const begun = performance.now();
      expect((await admin.call("GET", "/api/auth/user")).status).toBe(200);
      expect((await visitor.call("GET", "/login")).status).toBe(200);
      slowestReadMs = Math.max(slowestReadMs, performance.now() - begun);
    };

    for (let n = 0; n < 10; n += 1) await write();
    expect(acknowledged).toHaveLength(10);
    fill();
    const fullUntil = performance.now() + 8_000;
    while (performance.now() < fullUntil) {
      await read();
      await write();
      await Bun.sleep(50);
    }
    expect([...refusals].every((status) => status === 507 || status === 503)).toBe(true);
    expect(refusals.has(507)).toBe(true);
    expect(await write()).toBe(507);

    empty();
    const healedBy = performance.now() + 10_000;
    while ((await write()) !== 201 && performance.now() < healedBy) await Bun.sleep(100);
    expect(performance.now()).toBeLessThan(healedBy);
    console.log(`slowest read while full: ${Math.round(slowestReadMs)} ms`);
    expect(slowestReadMs).toBeLessThan(5_000);
    expect(await server.stop()).toBe(0);

    const rows = await readRows({ dataDir, env: {} }, async (db) => ({
      pending: new Set((await db.select().from(pendingRegistrations)).map((row) => row.email)),
      mailed: new Set((await db.select().from(mails)).map((row) => row.recipient)),
    }));
    expect(acknowledged.filter((email) => !rows.pending.has(email) || !rows.mailed.has(email))).toEqual([]);
  }, 120_000);
});
