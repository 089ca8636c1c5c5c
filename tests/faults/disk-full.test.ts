import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mails, pendingRegistrations } from "#api/db/schema.ts";
import { until } from "#api/testing/until.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { asOperator, type PluginCaller } from "../driver/plugin-caller.ts";
import { readRows } from "../driver/read-rows.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";
import { packNotes } from "../fixtures/plugins/notes-plugin.ts";
import { findPostgres, startPostgres } from "../services/postgres.ts";

const password = "a rather fine long password";
// A container's root often may not.
const mayMount = Bun.spawnSync(["unshare", "--mount", "true"]).exitCode === 0;
let dataDir: string;
let scratch: string;

const command = (words: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(words);
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stderr.toString()}`);
};

/** A folder with a small file system of its own. */
const smallFolder = (size: string): string => {
  const folder = temporaryFolder();
  if (mayMount) command(["mount", "-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder]);
  return folder;
};
beforeEach(() => {
  [dataDir, scratch] = [smallFolder("96m"), smallFolder("2m")];
});
afterEach(() => {
  for (const folder of [dataDir, scratch]) {
    if (mayMount) command(["umount", "-l", folder]);
    removeFolder(folder);
  }
});

/** To the last byte, the folder for temporary files as well. */
const fill = (): void => {
  for (const folder of [dataDir, scratch])
    for (const size of [1024 * 1024, 4096]) {
      try {
        for (let number = 0; number < 2_000; number += 1)
          writeFileSync(join(folder, `filler-${size}-${number}`), Buffer.alloc(size));
      } catch {
        // Full, as wanted.
      }
    }
};

const empty = (): void => {
  for (const folder of [dataDir, scratch])
    for (const name of readdirSync(folder)) if (name.startsWith("filler-")) rmSync(join(folder, name));
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

/** The word of `/api/ready`, and how the disk is doing. */
const readinessOf = async (operator: PluginCaller): Promise<unknown[]> => {
  const { body } = await operator.ask("GET", "/api/ready");
  return [body.status, Object(Object(body.parts).disk).state];
};

/** The run of a backup once it has ended. */
const backUp = async (operator: PluginCaller): Promise<unknown> => {
  expect(await operator.ask("POST", "/api/admin/backups", {})).toMatchObject({ status: 200 });
  const run = async () => Object((await operator.ask("GET", "/api/admin/backups/run")).body.data);
  await until(async () => (await run()).state !== "running", 30_000);
  return run();
};

const fullLine = "the disk of the data folder is nearly full";
const roomyLine = "the disk of the data folder has free space again";
const linesOf = (server: ServerProcess, message: string): number =>
  server.output().split(`"${message}"`).length - 1;

describe.skipIf(!mayMount)(`X3: a full disk${mayMount ? "" : " (needs the right to mount)"}`, () => {
  test("keeps a first start from creating a database, which says so in one line, until there is free space", async () => {
    fill();
    const refused = await runCommand(["serve"], { env: { DATA_DIR: dataDir, PORT: "0" } });
    expect(refused).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `error: The database in ${join(dataDir, "database")} could not be created: the disk is full. Free up disk space\n`,
    });
    expect(readdirSync(dataDir).filter((name) => name.startsWith("database"))).toEqual([]);
    empty();
    const server = await startServer({ dataDir, env: { TMPDIR: scratch } });
    expect((await createPerson(server.url).call("GET", "/api/ready")).status).toBe(200);
    expect(await server.stop()).toBe(0);
  }, 180_000);

  test("ends a support bundle with the reason, and nothing of it is left", async () => {
    fill();
    const out = join(scratch, "bundle.tgz");
    const { exitCode, stdout, stderr } = await runCommand(["support-bundle", "--out", out], {
      env: { DATA_DIR: dataDir },
    });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `error: cannot write ${out} (the disk is full)\n`,
    });
    expect(readdirSync(scratch).filter((name) => !name.startsWith("filler-"))).toEqual([]);
  }, 60_000);

  test("refuses writes with a reason, still reads, loses nothing, and recovers automatically", async () => {
    const server = await startServer({ dataDir, env: { TMPDIR: scratch } });
    const admin = await signedInAdmin(server);
    const operator = asOperator(dataDir);
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
    const fullUntil = performance.now() + 4_000;
    while (performance.now() < fullUntil) {
      await read();
      await write();
      await Bun.sleep(50);
    }
    expect([...refusals].every((status) => status === 507 || status === 503)).toBe(true);
    expect(refusals.has(507)).toBe(true);
    expect(await write()).toBe(507);
    expect(await readinessOf(operator)).toEqual(["degraded", "degraded"]);
    expect(linesOf(server, fullLine)).toBe(1);
    const zip = await packNotes("notes", "1.0.0");
    expect(await operator.upload(zip)).toMatchObject({ status: 507, body: { code: "STORAGE_FULL" } });

    empty();
    const healedBy = performance.now() + 10_000;
    while ((await write()) !== 201 && performance.now() < healedBy) await Bun.sleep(100);
    expect(performance.now()).toBeLessThan(healedBy);
    await until(async () => (await readinessOf(operator))[1] === "up");
    await until(() => linesOf(server, roomyLine) === 1, 10_000);
    expect(linesOf(server, fullLine)).toBe(1);
    expect(await operator.upload(zip)).toMatchObject({ status: 201 });
    expect(await operator.toggle("notes", true)).toMatchObject({ status: 200 });
    console.log(`slowest read while full: ${Math.round(slowestReadMs)} ms`);
    expect(slowestReadMs).toBeLessThan(5_000);
    expect(await server.stop()).toBe(0);

    const rows = await readRows({ dataDir, env: {} }, async (db) => ({
      pending: new Set((await db.select().from(pendingRegistrations)).map((row) => row.email)),
      mailed: new Set((await db.select().from(mails)).map((row) => row.recipient)),
    }));
    expect(acknowledged.filter((email) => !rows.pending.has(email) || !rows.mailed.has(email))).toEqual([]);
  }, 120_000);

  test.skipIf(findPostgres() === null)(
    "beside PostgreSQL stops only what needs the folder, which says why and works again automatically",
    async () => {
      const postgres = await startPostgres();
      const env = { DATABASE_URL: await postgres.createDatabase(), TMPDIR: scratch };
      const server = await startServer({ dataDir, env });
      const operator = asOperator(dataDir);
      const visitor = createPerson(server.url);
      const zip = await packNotes("notes", "1.0.0");
      expect(await operator.upload(zip)).toMatchObject({ status: 201 });
      fill();
      expect(await register(visitor, "full@example.test")).toBe(201);
      await until(async () => (await readinessOf(operator))[1] === "degraded");
      expect(linesOf(server, fullLine)).toBe(1);
      expect((await visitor.call("GET", "/login")).status).toBe(200);
      expect(await operator.toggle("notes", true)).toMatchObject({ status: 200 });
      expect(await visitor.call("GET", "/api/notes/state")).toMatchObject({ status: 200 });
      expect(await operator.upload(await packNotes("more", "1.0.0"))).toMatchObject({ status: 201 });
      expect(await backUp(operator)).toMatchObject({
        state: "failed",
        error: "The disk is full; nothing was saved",
      });
      empty();
      // A backup leaves more room than that disk has.
      command(["mount", "-o", "remount,size=384m", dataDir]);
      expect(await backUp(operator)).toMatchObject({ state: "done" });
      await until(async () => (await readinessOf(operator))[1] === "up");
      expect(await server.stop()).toBe(0);
      postgres.stop();
    },
    60_000,
  );
});
