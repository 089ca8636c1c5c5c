import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { refusal, run } from "#cli/testing/run.ts";

const done = { name: "0000_accounts", appliedAt: "2026-11-20T20:40:12.307173+02:00" };
const waiting = { name: "0001_plugins", appliedAt: null };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A data folder on whose control socket somebody answers as given. */
const servedFolder = (answer: () => Response): string => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-migrate-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const server = Bun.serve({ unix: join(folder, "control.sock"), fetch: answer });
  cleanups.push(() => server.stop(true));
  return folder;
};

test("names each migration that it applied", async () => {
  const composition = {
    migrate: async () => ({
      applied: ["0001_plugins"],
      migrations: [done, { ...waiting, appliedAt: done.appliedAt }],
    }),
  };
  expect(await run(["migrate"], { composition })).toMatchObject({
    code: 0,
    out: "Applied 0001_plugins\n",
    err: "",
  });
  expect(await fitsSchema("migrate", (await run(["migrate", "--json"], { composition })).out)).toMatchObject({
    isServerRunning: false,
    applied: ["0001_plugins"],
    pending: 0,
  });
});

test("says so when there was nothing to apply", async () => {
  const composition = { migrate: async () => ({ applied: [], migrations: [done] }) };
  expect((await run(["migrate"], { composition })).out).toBe("The database is up to date.\n");
});

test("--status lists what is applied and what waits, and applies nothing", async () => {
  const composition = {
    hasDatabase: () => true,
    inspectDatabase: async () => ({
      kind: "postgres" as const,
      version: "15",
      sizeBytes: 1,
      migrations: [done, waiting],
    }),
  };
  const { code, out } = await run(["migrate", "--status"], { composition });
  expect(code).toBe(0);
  expect(out).toBe("0000_accounts\t2026-11-20 18:40Z\n0001_plugins\tpending\n");
  const asJson = await run(["migrate", "--status", "--json"], { composition });
  expect(await fitsSchema("migrate", asJson.out)).toMatchObject({ pending: 1, migrations: [done, waiting] });
});

test("--status of an installation without a database makes none: everything is pending", async () => {
  const composition = { hasDatabase: () => false, migrationsOfNewDatabase: async () => [waiting] };
  expect((await run(["migrate", "--status"], { composition })).out).toBe("0001_plugins\tpending\n");
});

test("leaves the embedded database to the server that runs on it, which has migrated it", async () => {
  const folder = servedFolder(() => Response.json({ success: true, status: "ready" }));
  for (const argv of [["migrate"], ["migrate", "--status"]]) {
    const { code, out } = await run(argv, { env: { DATA_DIR: folder } });
    expect(code).toBe(0);
    expect(out).toContain("applied all migrations when it started");
  }
});

test("fails when that server is not ready", async () => {
  const folder = servedFolder(() => refusal(503, "DB_UNAVAILABLE", "The database is away"));
  expect(await run(["migrate"], { env: { DATA_DIR: folder } })).toMatchObject({ code: 3, out: "" });
});

test("migrates PostgreSQL also while servers run on it", async () => {
  const folder = servedFolder(() => Response.json({ success: true, status: "ready" }));
  const { out } = await run(["migrate"], {
    env: { DATA_DIR: folder, DATABASE_URL: "postgres://db.example/atrium" },
    composition: { migrate: async () => ({ applied: ["0001_plugins"], migrations: [done] }) },
  });
  expect(out).toBe("Applied 0001_plugins\n");
});
