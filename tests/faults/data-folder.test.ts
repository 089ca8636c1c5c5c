import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sized } from "#api/testing/size.ts";
import { serverForFile } from "../driver/for-file.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, StartFailure, startServer, temporaryFolder } from "../driver/start-server.ts";

const server = await serverForFile();

/** A start that must fail; its exit code, text and duration. */
const failedStart = async (dataDir: string) => {
  const begun = performance.now();
  try {
    const unwanted = await startServer({ dataDir });
    await unwanted.stop("SIGKILL");
  } catch (error) {
    if (error instanceof StartFailure) return { error, tookMs: performance.now() - begun };
    throw error;
  }
  throw new Error("a second server opened the same folder");
};

/** What a server prints first that finds its folder taken. */
const inUse = /^the server ended with 75:\nerror: data directory in use by pid \d+\n/;

describe("X2: one data folder, one server", () => {
  const rounds = sized(3, 50);
  test(`a second server ends with 75 and names the first, ${rounds} times, and the first keeps running`, async () => {
    const visitor = createPerson(server.url);
    const durations: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const email = `round-${round}@example.test`;
      const registering = visitor.call("POST", "/api/auth/register", {
        name: "Ada",
        email,
        password: "a fine long one",
      });
      const { error, tookMs } = await failedStart(server.dataDir);
      expect(error.exitCode).toBe(75);
      expect(error.message).toMatch(inUse);
      durations.push(tookMs);
      // Without its socket the first would be cut off from its database at the next new connection.
      expect(existsSync(join(server.dataDir, "database.sock"))).toBe(true);
      expect((await registering).status).toBe(201);
    }
    expect((await visitor.call("GET", "/api/ready")).status).toBe(200);
    // The best of them: the machine may be busy with something else.
    expect(Math.min(...durations)).toBeLessThan(2_000);
  });

  test("of two servers started in the same instant one listens and one ends with 75", async () => {
    for (let round = 0; round < sized(3, 20); round += 1) {
      const dataDir = temporaryFolder();
      const starts = await Promise.allSettled([startServer({ dataDir }), startServer({ dataDir })]);
      const listening = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
      const refused = starts.flatMap((start) => (start.status === "rejected" ? [start.reason] : []));
      const ends = await Promise.all(listening.map((winner) => winner.stop()));
      removeFolder(dataDir);
      expect(ends).toEqual([0]);
      expect(refused[0]).toBeInstanceOf(StartFailure);
      expect(refused[0].exitCode).toBe(75);
      expect(refused[0].message).toMatch(inUse);
    }
  });

  test("a server that is started while the one before stops takes its folder and its port over", async () => {
    // Long enough for the second one to be there before it is over.
    const first = await startServer({ env: { STOP_DELAY: "4" } });
    const ended = first.stop("SIGTERM");
    while ((await createPerson(first.url).call("GET", "/api/ready")).status === 200) await Bun.sleep(5);
    const second = await startServer({ dataDir: first.dataDir, port: Number(new URL(first.url).port) });
    expect(await ended).toBe(0);
    expect((await createPerson(second.url).call("GET", "/api/ready")).status).toBe(200);
    expect(await second.stop()).toBe(0);
    removeFolder(first.dataDir);
  });

  test("another installation does not get the port of one that runs, and ends with 75", async () => {
    const dataDir = temporaryFolder();
    const port = Number(new URL(server.url).port);
    const failure = await startServer({ dataDir, port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartFailure);
    expect(failure).toMatchObject({ exitCode: 75 });
    expect(String(failure)).toContain(`error: port ${port} on 127.0.0.1 is in use by pid ${server.pid} (`);
    const metricsPort = { METRICS_ADDRESS: `127.0.0.1:${port}` };
    const other = await startServer({ dataDir, env: metricsPort }).catch((error: unknown) => error);
    expect(other).toMatchObject({ exitCode: 75 });
    expect(String(other)).toContain("choose another port with METRICS_ADDRESS");
    removeFolder(dataDir);
  });

  test("a lock left behind, even with the pid of a living process in it, keeps no one out", async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, "lock"), String(process.pid));
    const first = await startServer({ dataDir });
    await first.stop("SIGKILL");
    const second = await startServer({ dataDir });
    expect(await second.stop()).toBe(0);
    removeFolder(dataDir);
  });
});
