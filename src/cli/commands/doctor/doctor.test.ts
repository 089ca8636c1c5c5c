import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import type { DatabaseReport } from "#cli/composition.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { refusal, run, success } from "#cli/testing/run.ts";
import { inUse, plainStatus } from "#cli/testing/system-status.ts";
import { settingsTexts } from "#contract/settings.ts";
import type { Check } from "./checks.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-doctor-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const report = (appliedAt: string | null): DatabaseReport => ({
  kind: "postgres",
  version: "15.20",
  sizeBytes: 8_000_000,
  migrations: [{ name: "0000_accounts", appliedAt }],
});

const withDatabase = (inspect: () => Promise<DatabaseReport>) => ({
  env: { DATA_DIR: folder, APP_SECRET: "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi" },
  composition: { hasDatabase: () => true, inspectDatabase: inspect },
});

const checksByName = (out: string) =>
  new Map<string, Check>(JSON.parse(out).checks.map((check: Check) => [check.name, check]));
const databaseCheck = (out: string) => checksByName(out).get("database");

const info = {
  appUrl: "https://atrium.example",
  database: { kind: "embedded", version: "18.6", sizeBytes: 41_000_000, latencyMs: 0.4 },
};

/** A server on the folder's control socket that answers so; one without a status is of an older version. */
const serveAnswers = (facts: object, status: SystemStatus | null) =>
  Bun.serve({
    unix: join(folder, "control.sock"),
    fetch: ({ url }) => {
      if (!url.endsWith("/api/system/status")) return success(facts);
      return status === null ? refusal(404, "NOT_FOUND", "There is nothing here") : success(status);
    },
  });

describe("doctor", () => {
  test("shows the data folder as it is found, and who named it", async () => {
    const composition = { hasDatabase: () => false };
    const rowOf = async (words: string[], dataDir: string) => {
      const { out } = await run(["doctor", ...words], { env: { DATA_DIR: dataDir }, composition });
      return out.split("\n").find((line) => line.startsWith("DATA_DIR"));
    };
    const typed = relative(process.cwd(), folder);
    expect(await rowOf(["--data-dir", typed], "elsewhere")).toBe(`DATA_DIR\t${folder}\t--data-dir`);
    expect(await rowOf([], typed)).toBe(`DATA_DIR\t${folder}\tenvironment`);
    const asJson = await run(["doctor", "--json", "--data-dir", folder], { composition });
    expect((await fitsSchema("doctor", asJson.out)).config).toContainEqual({
      ...{ variable: "DATA_DIR", value: folder, source: "--data-dir", problem: null },
    });
  });

  test("shows the effective configuration masked and every check, ends with 0, and makes nothing", async () => {
    const { code, out, err, calls } = await run(["doctor"], {
      env: { DATA_DIR: folder, REDIS_URL: "redis://:hunter2@cache.example" },
      composition: { hasDatabase: () => false },
    });
    expect({ code, err, calls }).toEqual({ code: 0, err: "", calls: [] });
    expect(out).toContain("REDIS_URL\tredis://:***@cache.example\tenvironment\n");
    expect(out).not.toContain("hunter2");
    for (const name of [
      "configuration",
      "server",
      "data folder",
      "free space",
      "lock",
      "clock",
      "key",
      "database",
      "Redis",
      "object storage",
      "visitors",
      "mail",
    ]) {
      expect(out).toContain(`  ${name}: `);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test("with --json prints the same for programs", async () => {
    const { out } = await run(["doctor", "--json"], { env: { DATA_DIR: folder } });
    const { config, checks } = await fitsSchema("doctor", out);
    expect(config[0]).toEqual({ variable: "HOST", value: "127.0.0.1", source: "default", problem: null });
    expect(checks[0]).toEqual({
      name: "configuration",
      state: "ok",
      detail: "every variable is usable",
      remedy: null,
    });
  });

  test("says that the database is up to date", async () => {
    const { code, out } = await run(
      ["doctor", "--json"],
      withDatabase(async () => report("2026-11-20T18:40:12Z")),
    );
    expect(code).toBe(0);
    expect(databaseCheck(out)).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("all 1 migrations applied"),
    });
  });

  test("warns of pending migrations, which is no failure", async () => {
    const { code, out } = await run(
      ["doctor", "--json"],
      withDatabase(async () => report(null)),
    );
    expect(code).toBe(0);
    expect(databaseCheck(out)).toMatchObject({
      state: "warn",
      remedy: expect.stringContaining("atrium migrate"),
    });
  });

  test("fails with 1 when the database cannot be reached, and still shows the other checks", async () => {
    const { code, out, err } = await run(
      ["doctor", "--json"],
      withDatabase(() => Promise.reject(new Error("password authentication failed"))),
    );
    expect(code).toBe(1);
    expect(databaseCheck(out)).toMatchObject({
      state: "fail",
      detail: expect.stringContaining("password authentication failed"),
    });
    expect(JSON.parse(err)).toEqual({ success: false, code: "CHECKS_FAILED", message: "1 check failed" });
  });

  test.each([
    ["UnfitDatabaseError", "fix this first"],
    ["UnusableInstallationError", "fix this first"],
    ["Error", "atrium snapshot list"],
  ])(
    "of an embedded database that is refused with %s says what to do, and nothing of a server",
    async (kind, says) => {
      const refused = Object.assign(new Error("The database folder is missing"), { name: kind });
      const { code, out } = await run(
        ["doctor", "--json"],
        withDatabase(() => Promise.reject(refused)),
      );
      expect(code).toBe(1);
      const { remedy } = databaseCheck(out) ?? {};
      expect(remedy).toContain(says);
      expect(remedy).not.toContain("DATABASE_URL");
    },
  );

  test("of a server that is starting warns, and misses no key", async () => {
    writeFileSync(join(folder, "lock"), "");
    const holder = Bun.spawn(
      ["flock", "--no-fork", "--exclusive", join(folder, "lock"), "sh", "-c", "echo held; read line"],
      { stdin: "pipe", stdout: "pipe" },
    );
    await holder.stdout.getReader().read();
    const inUse = Object.assign(new Error("in use"), { name: "DataFolderInUseError", pid: holder.pid });
    const { code, out } = await run(["doctor", "--json"], {
      env: { DATA_DIR: folder },
      composition: { hasDatabase: () => true, inspectDatabase: () => Promise.reject(inUse) },
    });
    holder.stdin.end();
    await holder.exited;
    expect(code).toBe(0);
    expect(checksByName(out).get("server")?.detail).toContain("starting");
    expect(databaseCheck(out)).toMatchObject({
      state: "warn",
      detail: expect.stringContaining(`pid ${holder.pid}`),
    });
    expect(checksByName(out).get("key")).toMatchObject({ state: "ok" });
  });

  test("asks a running server what it uses and whom it sees, and tries nothing itself", async () => {
    const warning = settingsTexts.everybodyLooksTheSame("172.18.0.5", { isListed: false, trustProxy: true });
    const server = serveAnswers(info, {
      ...plainStatus,
      redis: { ...inUse, state: "away", reason: "wrong user name or password" },
      visitor: { ...plainStatus.visitor, warning, newestVisitor: "172.18.0.5" },
    });
    try {
      const { code, out } = await run(["doctor", "--json"], {
        env: { DATA_DIR: folder, REDIS_URL: "redis://other.example" },
        composition: { inspectRedis: () => Promise.reject(new Error("no connection is made")) },
      });
      expect(code).toBe(1);
      const checks = checksByName(out);
      expect(checks.get("Redis")).toMatchObject({ state: "fail" });
      expect(checks.get("Redis")?.detail).toMatch(/^cache\.example:6379, from the settings.*wrong user name/);
      expect(checks.get("object storage")).toMatchObject({ state: "ok" });
      expect(checks.get("visitors")).toMatchObject({ state: "warn" });
      expect(checks.get("visitors")?.detail).toContain("All visitors appear to have the same address");
    } finally {
      await server.stop(true);
    }
  });

  test("continues with a server that doesn't say what it uses", async () => {
    const server = serveAnswers(info, null);
    try {
      const { code, out } = await run(["doctor", "--json"], { env: { DATA_DIR: folder } });
      expect(code).toBe(0);
      const checks = checksByName(out);
      for (const name of ["Redis", "object storage", "visitors"])
        expect(checks.get(name)?.state).toBe("warn");
    } finally {
      await server.stop(true);
    }
  });

  test("a database that is away is told with the reason alone", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
    const { code, out } = await run(["doctor", "--json"], {
      ...withDatabase(() => Promise.reject(new Error("Failed query: select 1", { cause: refused }))),
      ...{ env: { DATA_DIR: folder, DATABASE_URL: "postgres://atrium@127.0.0.1:5432/atrium" } },
    });
    expect(code).toBe(1);
    expect(databaseCheck(out)).toMatchObject({
      state: "fail",
      detail: "Failed query: select 1: connect ECONNREFUSED 127.0.0.1:5432",
      remedy: expect.stringContaining("check DATABASE_URL"),
    });
    expect(out).not.toContain("Something went wrong");
  });

  test("looks for Redis only when the database is closed again, as one process alone may open it", async () => {
    let isOpen = false;
    const opened = async <T>(answer: T): Promise<T> => {
      if (isOpen) throw new Error("data directory in use");
      isOpen = true;
      await Bun.sleep(5);
      isOpen = false;
      return answer;
    };
    const { code, out } = await run(["doctor", "--json"], {
      env: { DATA_DIR: folder },
      composition: {
        inspectDatabase: () => opened(report("2026-11-20T18:40:12Z")),
        inspectRedis: () => opened(null),
      },
    });
    expect(code).toBe(0);
    expect(checksByName(out).get("Redis")).toMatchObject({ state: "ok" });
  });

  test("warns when a server runs with another public address than the settings here", async () => {
    const server = serveAnswers(info, plainStatus);
    const address = async (env: Record<string, string>) => {
      const { code, out } = await run(["doctor", "--json"], { env: { DATA_DIR: folder, ...env } });
      expect(code).toBe(0);
      return JSON.parse(out).checks.find(({ name }: { name: string }) => name === "public address");
    };
    try {
      expect(await address({})).toMatchObject({
        state: "warn",
        detail:
          "the running server uses https://atrium.example, but the configuration of this command says http://localhost:3000",
      });
      expect((await address({ APP_URL: "https://atrium.example" })).detail).not.toContain(
        "configuration of this command",
      );
    } finally {
      await server.stop(true);
    }
  });

  test("shows what is wrong with the configuration, in place and among the checks", async () => {
    const { code, out } = await run(["doctor"], { env: { DATA_DIR: folder, PORT: "http" } });
    expect(code).toBe(1);
    expect(out).toContain(
      "PORT\thttp (expected a whole number from 0 to 65535 (0 picks a free port))\tenvironment\n",
    );
    expect(out).toContain("fail  configuration: the configuration is invalid: PORT\n");
  });
});
