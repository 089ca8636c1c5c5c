import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { systemClock } from "#api/core/clock.ts";
import { type DatabaseHandle, DataFolderInUseError, openDatabase } from "#api/db/open-database.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { databasePid } from "#api/testing/database-pid.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { startEmbeddedServer } from "./supervisor.ts";

let folder: ReturnType<typeof makeDataFolder>;
let opened: DatabaseHandle[];

beforeEach(() => {
  folder = makeDataFolder();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((handle) => handle.close()));
  folder.remove();
});

const open = async (dataDir = folder.path): Promise<DatabaseHandle> => {
  const log = createRecordingLog();
  const handle = await openDatabase({ databaseUrl: null, dataDir, log, clock: systemClock });
  opened.push(handle);
  return handle;
};

/** Whether the process runs, stopped or not; one that only waits to be collected does not. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const answers = (handle: DatabaseHandle) => async () => {
  await handle.check();
  return handle.writeObstacle() === null;
};

/** Asks for encryption, which there is none of: PostgreSQL's protocol, "SSLRequest". */
const answerAt = (socketPath: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
    socket.once("error", (error) => resolve(String(error)));
    socket.once("close", () => resolve("nothing"));
    socket.once("data", (bytes) => {
      resolve(String(bytes));
      socket.destroy();
    });
  });

describe("the limit of a launch", () => {
  test("ends a process that does not come up, and leaves one alone that did", async () => {
    const log = createRecordingLog();
    jest.useFakeTimers();
    const server = await startEmbeddedServer(folder.path, log, { launchLimitMs: 100 });
    jest.advanceTimersByTime(200);
    jest.useRealTimers();
    // Whoever was killed answers nothing more: not even a question that the process itself answers.
    expect(await answerAt(server.socketPath)).toBe("N");
    await server.stop();
    // No one opens a database in a millisecond.
    expect(await failureOf(startEmbeddedServer(folder.path, log, { launchLimitMs: 1 }))).toBeInstanceOf(
      Error,
    );
  });
});

describe("one opener", () => {
  test("a second opener is refused within two seconds and told whose the folder is", async () => {
    await open();
    const startedAt = performance.now();
    const error = await open().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataFolderInUseError);
    expect(error).toMatchObject({ pid: process.pid });
    expect(String(error)).toContain(`in use by pid ${process.pid}`);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test("of two that open at the same moment one wins", async () => {
    const outcomes = await Promise.allSettled([open(), open()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("once closed, the folder can be opened again and holds what was written", async () => {
    const first = await open();
    await first.db.execute(sql`create table kept as select 42 as n`);
    await first.close();
    opened = [];
    const second = await open();
    expect([...(await second.db.execute(sql`select n from kept`))]).toEqual([{ n: 42 }]);
  });
});

describe("the data folder", () => {
  test("only its owner can read it, and a start leaves nothing behind", async () => {
    const handle = await open();
    const names = readdirSync(folder.path, { recursive: true, encoding: "utf8" });
    const readable = names.filter((name) => statSync(join(folder.path, name)).mode & 0o077);
    expect(readable.filter((name) => !name.startsWith("database/"))).toEqual([]);
    expect(statSync(join(folder.path, "database")).mode & 0o077).toBe(0);
    await handle.close();
    opened = [];
    expect(readdirSync(folder.path).sort()).toEqual(["database", "lock"]);
  });

  test("what a start that was cut short has left is replaced", async () => {
    mkdirSync(join(folder.path, "database.tmp/base"), { recursive: true });
    await (await open()).check();
    expect(existsSync(join(folder.path, "database.tmp"))).toBe(false);
  });

  test("its path may be longer than a socket's name can be", async () => {
    const deep = join(folder.path, "d".repeat(120));
    await (await open(deep)).check();
  });
});

describe("a process that fails", () => {
  test("killed in the middle of writes, it loses no acknowledged one and restarts automatically", async () => {
    const { db, check } = await open();
    await db.execute(sql`create table rows (n int primary key)`);
    const acknowledged: number[] = [];
    let isWriting = true;
    const write = async (first: number): Promise<void> => {
      for (let n = first; isWriting; n += 4) {
        try {
          await db.execute(sql`insert into rows values (${n})`);
          acknowledged.push(n);
        } catch {
          await Bun.sleep(5);
        }
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    for (const goal of [50, 150]) {
      await until(() => acknowledged.length > goal, 20_000);
      process.kill(databasePid(folder.path), "SIGKILL");
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 20, 20_000);
    }
    isWriting = false;
    await Promise.all(writers);
    await until(() => check().then(() => true));
    const stored = new Set((await db.execute<{ n: number }>(sql`select n from rows`)).map(({ n }) => n));
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
  });

  test("unresponsive for four seconds it is replaced, unless a long statement was announced", async () => {
    const impatient = await open();
    const patient = await open(join(folder.path, "patient"));
    const [deafPid, busyPid] = [databasePid(folder.path), databasePid(join(folder.path, "patient"))];
    await patient.exclusively(async (db) => {
      for (const pid of [deafPid, busyPid]) process.kill(pid, "SIGSTOP");
      const obstacleSeen = await until(() => impatient.writeObstacle()?.kind === "DB_UNAVAILABLE", 8000);
      expect(obstacleSeen).toBeGreaterThan(3000);
      await until(answers(impatient));
      process.kill(busyPid, "SIGCONT");
      await db.execute(sql`select 1`);
    });
    expect(isAlive(deafPid)).toBe(false);
    expect(databasePid(folder.path)).not.toBe(deafPid);
    expect(databasePid(join(folder.path, "patient"))).toBe(busyPid);
  });

  test.each(["running", "stopped"])("it does not outlive a killed server when it is %s", async (state) => {
    const script = `
      import { openDatabase } from "#api/db/open-database.ts";
      const none = () => {};
      const log = { debug: none, info: none, warn: none, error: none, flush: none };
      await openDatabase({ databaseUrl: null, dataDir: process.argv[1], log, clock: { now: () => new Date() } });
      console.log("open");`;
    const server = Bun.spawn([process.execPath, "-e", script, folder.path], {
      cwd: join(import.meta.dir, "../../../.."),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await server.stdout.getReader().read();
    const pid = databasePid(folder.path);
    expect(isAlive(pid)).toBe(true);
    if (state === "stopped") process.kill(pid, "SIGSTOP");
    server.kill("SIGKILL");
    await until(() => !isAlive(pid), 3000);
    await (await open()).check();
  });
});
