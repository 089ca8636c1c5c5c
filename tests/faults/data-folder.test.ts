import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sized } from "#api/testing/size.ts";
import { createPerson } from "../driver/person.ts";
import { runCommand } from "../driver/run-command.ts";
import {
  removeFolder,
  type ServerProcess,
  StartFailure,
  startServer,
  temporaryFolder,
} from "../driver/start-server.ts";

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.dataDir);
});

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

describe("X2: one data folder, one server", () => {
  const rounds = sized(3, 50);
  test(`a second server ends with 75 and names the first, ${rounds} times, and the first goes on`, async () => {
    const visitor = createPerson(server.url);
    for (let round = 0; round < rounds; round += 1) {
      const email = `round-${round}@example.test`;
      const registering = visitor.call("POST", "/api/auth/register", {
        name: "Ada",
        email,
        password: "a fine long one",
      });
      const { error, tookMs } = await failedStart(server.dataDir);
      expect(error.exitCode).toBe(75);
      expect(error.message).toMatch(/data directory in use by pid \d+/);
      expect(tookMs).toBeLessThan(2_000);
      expect((await registering).status).toBe(201);
    }
  });

  test("commands talk to the running server instead of opening its folder", async () => {
    const env = { DATA_DIR: server.dataDir };
    const status = await runCommand(["status", "--json"], { env });
    expect(status.exitCode).toBe(0);
    const created = await runCommand(
      ["admin", "create", "--email", "ada@example.test", "--name", "Ada", "--password-stdin", "--json"],
      { env, input: "a rather fine long password\n" },
    );
    expect(created.exitCode).toBe(0);
    const list = await runCommand(["user", "list", "--json"], { env });
    expect(list.stdout).toContain("ada@example.test");
  });

  test("of two servers started in the same instant one listens and one ends with 75", async () => {
    for (let round = 0; round < sized(3, 20); round += 1) {
      const dataDir = temporaryFolder();
      const starts = await Promise.allSettled([startServer({ dataDir }), startServer({ dataDir })]);
      const listening = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
      const refused = starts.flatMap((start) => (start.status === "rejected" ? [start.reason] : []));
      await Promise.all(listening.map((winner) => winner.stop()));
      removeFolder(dataDir);
      expect(listening).toHaveLength(1);
      expect(refused[0]).toBeInstanceOf(StartFailure);
      expect(refused[0].exitCode).toBe(75);
    }
  });

  test("a lock left behind, even with the number of a living process in it, keeps nobody out", async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, "lock"), String(process.pid));
    const first = await startServer({ dataDir });
    await first.stop("SIGKILL");
    const second = await startServer({ dataDir });
    expect(await second.stop()).toBe(0);
    removeFolder(dataDir);
  });
});
