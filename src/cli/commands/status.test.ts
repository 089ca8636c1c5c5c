import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { type Outcome, refusal, run, success } from "#cli/testing/run.ts";
import { inUse, plainStatus } from "#cli/testing/system-status.ts";

const info = {
  version: "1.2.3",
  startedAt: "2026-11-20T18:40:12.000Z",
  uptimeS: 3725,
  appUrl: "http://localhost:3000",
  node: { rssBytes: 72_000_000, cpus: 2 },
  database: { kind: "embedded", version: "18.6", sizeBytes: 41_000_000, latencyMs: 0.4 },
  mail: { transport: "outbox", waiting: 1, dead: 0 },
  users: { total: 3, admins: 1, pending: 1 },
};

const noBackups = {
  run: null,
  last: null,
  proof: null,
  schedule: {
    isEnabled: false,
    every: { dailyAt: "03:00" },
    place: "folder",
    keepLast: 7,
    keepDays: null,
    recipients: [],
  },
  nextAt: null,
};

const up = { state: "up", since: "2026-11-20T18:40:12.000Z", note: null } as const;
const ready = {
  status: "ready",
  parts: { database: up, disk: up, redis: up, storage: up, mail: up, plugins: up },
};

/** What `status` prints of a server that answers so. */
const shown = (change: Partial<SystemStatus>, ...options: string[]): Promise<string> =>
  shownOf(() => success(noBackups), change, ...options);

const shownOf = async (
  backups: () => Response,
  change: Partial<SystemStatus> = {},
  ...options: string[]
): Promise<string> => {
  const answers = {
    ...usual,
    [backupsPath]: backups,
    [statusPath]: () => success({ ...plainStatus, ...change }),
  };
  const { code, out } = await asked(answers, ...options);
  expect(code).toBe(0);
  return out;
};

const [backupsPath, statusPath] = ["/api/admin/backups/health", "/api/system/status"];
const [readinessPath, infoPath] = ["/api/system/readiness", "/api/system/info"];
type Answers = Record<string, () => Response>;
const usual: Answers = {
  "/api/health": () => Response.json({ success: true, status: "alive" }),
  [infoPath]: () => success(info),
  [readinessPath]: () => success(ready),
  [statusPath]: () => success(plainStatus),
  [backupsPath]: () => success(noBackups),
};

/** What `status` does with a server that answers so. */
const asked = async (answers: Answers, ...options: string[]): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-status-"));
  const server = Bun.serve({
    unix: join(folder, "control.sock"),
    fetch: ({ url }) => answers[new URL(url).pathname]?.() ?? refusal(404, "NOT_FOUND", "Not found"),
  });
  try {
    return await run(["status", ...options], { env: { DATA_DIR: folder } });
  } finally {
    await server.stop(true);
    rmSync(folder, { recursive: true });
  }
};

const firewall = (change: Partial<SystemStatus["firewall"]>): Partial<SystemStatus> => ({
  firewall: { ...plainStatus.firewall, ...change },
});

test("an installation that uses nothing from outside says so", async () => {
  const out = await shown({});
  expect(out).toContain("\nRedis\tnone\n");
  expect(out).toContain("\nObject storage\tdatabase; 3 files in the database, 0 files in the bucket\n");
  expect(out).toContain("\nRequests\tcounted in the server's memory\n");
  expect(out).toEndWith("\nFirewall\tnot installed\n");
});

test("Redis is shown with its state, since when, who set it up, and why it is away", async () => {
  expect(await shown({ redis: inUse, limiter: { isEnabled: true, store: "redis" } })).toMatch(
    /\nRedis\tcache\.example:6379, in use since 2026-11-20 18:40Z; from the settings\n[\s\S]*\nRequests\tcounted in Redis\n/,
  );
  const away = { ...inUse, state: "away", source: "environment", reason: "connection refused" } as const;
  expect(await shown({ redis: away })).toContain(
    "\nRedis\tcache.example:6379, unavailable since 2026-11-20 18:40Z: connection refused; from REDIS_URL\n",
  );
});

test("the check of breached passwords is shown where it is used, and when it last failed", async () => {
  const failedAt = "2026-11-20T18:40:00.000Z";
  expect(await shown({ breachCheck: { mode: "off", failedAt } })).not.toContain("Breach check");
  expect(await shown({ breachCheck: { mode: "online", failedAt: null } })).toContain(
    "\nBreach check\tHave I Been Pwned\n",
  );
  expect(await shown({ breachCheck: { mode: "online", failedAt } })).toContain(
    "\nBreach check\tHave I Been Pwned; not reachable at 2026-11-20 18:40Z\n",
  );
});

test("files that move to the bucket are shown with their progress", async () => {
  const migration = { moved: 100, total: 1_200, bytes: 4_000_000, failed: 1 };
  const storage = {
    ...{ ...inUse, server: "https://r2.example", home: "r2" as const },
    ...{ inDatabase: 1_100, inR2: 100, migration },
  };
  expect(await shown({ storage })).toContain(
    "\nObject storage\tbucket; https://r2.example, in use since 2026-11-20 18:40Z; 1,100 files in the database, " +
      "100 files in the bucket; 100 of 1,200 moved to the bucket (4.0 MB), 1 failed\n",
  );
});

test("the firewall is shown as it stands, with who counts requests", async () => {
  const off: SystemStatus["limiter"] = { isEnabled: false, store: "memory" };
  const managing = { installed: true, enabled: true, masterSwitchEnabled: true };
  expect(await shown({ limiter: off })).toContain("\nRequests\tnot limited\n");
  expect(await shown(firewall({ installed: true }))).toContain("\nFirewall\tinstalled, not enabled\n");
  expect(await shown(firewall({ ...managing, masterSwitchEnabled: false }))).toContain(
    "\nFirewall\tenabled, but its main switch is off\n",
  );
  expect(await shown(firewall({ ...managing, developmentModeEnabled: true }))).toContain(
    "\nFirewall\ton, with its limit off, in development mode\n",
  );
  expect(await shown({ ...firewall({ ...managing, rateLimitingEnabled: true }), limiter: off })).toContain(
    "\nRequests\tcounted by the firewall\nFirewall\ton, with its limit on\n",
  );
});

test("that every visitor looks the same is shown, and nothing while all is well", async () => {
  const warning = "All visitors appear to have the same address: check your proxy.";
  const visitor = { ...plainStatus.visitor, warning };
  expect(await shown({ visitor })).toEndWith(`\nProxy\t${warning}\n`);
});

test("a server that was started in safe mode says that its plugins are off", async () => {
  expect(await shown({ isSafeMode: true })).toEndWith(
    "\nPlugins\tall off until the next start, because the server was started in safe mode\n",
  );
});

test("with --json the data of both calls are printed, and nothing besides", async () => {
  expect(await fitsSchema("status", await shown({ redis: inUse }, "--json"))).toEqual({
    ...info,
    ...plainStatus,
    redis: inUse,
    readiness: ready,
    backups: noBackups,
  });
});

test("the first line says whether the server is ready, and which parts are degraded or away", async () => {
  const firstLine = async (readiness: () => Response) =>
    (await asked({ ...usual, [readinessPath]: readiness })).out.split("\n")[0];
  const address = "public URL http://localhost:3000";
  expect(await firstLine(() => success(ready))).toBe(`Server\trunning, ready, ${address}`);
  const parts = {
    ...ready.parts,
    disk: { ...up, state: "degraded", note: "12 MB are left: writes are refused" },
    redis: { ...up, state: "away", note: "connection refused" },
    mail: { ...up, state: "away" },
    storage: { ...up, state: "unused" },
  };
  expect(await firstLine(() => success({ status: "degraded", parts }))).toBe(
    "Server\trunning, degraded (disk degraded: 12 MB are left: writes are refused; redis away: connection refused; " +
      `mail away), ${address}`,
  );
  expect(await firstLine(() => refusal(404, "NOT_FOUND", "Not found"))).toBe(`Server\trunning, ${address}`);
});

test("a server whose database is away, that starts or stops is running, which is told with 1; without one it is 3", async () => {
  const states = [
    ["DB_UNAVAILABLE", "the database is unavailable"],
    ["SHUTTING_DOWN", "it is stopping"],
    ["STARTING", "it is starting"],
  ] as const;
  for (const [kind, words] of states)
    for (const path of [readinessPath, infoPath, statusPath]) {
      const { code, out, err } = await asked({ ...usual, [path]: () => refusal(503, kind, "Try again") });
      expect([path, code, out, err]).toEqual([path, 1, "", `error: the server is running; ${words}\n`]);
    }
  const none = await run(["status"], { env: { DATA_DIR: "/nonexistent/atrium" } });
  expect([none.code, none.out]).toEqual([3, ""]);
});

test("--live asks for no more than an answer, so that a database that is away ends no server", async () => {
  const away = () => refusal(503, "DB_UNAVAILABLE", "Try again");
  const only: Answers = Object.fromEntries(Object.keys(usual).map((path) => [path, away]));
  const alive = await asked({ ...only, "/api/health": usual["/api/health"] ?? away }, "--live");
  expect([alive.code, alive.out]).toEqual([0, "alive\n"]);
  const asJson = await asked(usual, "--live", "--json");
  expect(await fitsSchema("status", asJson.out)).toEqual({ status: "alive" });
  const none = await run(["status", "--live"], { env: { DATA_DIR: "/nonexistent/atrium" } });
  expect([none.code, none.err]).toEqual([3, expect.stringContaining("no server is running")]);
});

const making = { isScheduled: true, startedAt: "2026-11-21T03:00:00.000Z", state: "done", error: null };
const on = { ...noBackups.schedule, isEnabled: true };
const last = { at: "2026-11-20T03:00:00.000Z", name: "a", place: "folder", sizeBytes: 1 };
const backupsLine = async (change: object) =>
  /\nBackups\t(.*)\n/.exec(await shownOf(() => success({ ...noBackups, ...change })))?.[1];

test("a backup that failed, or that the schedule owes, is a warning; a schedule that is off is none", async () => {
  expect(await backupsLine({})).toBe("no backups yet; not scheduled");
  const nextAt = "2026-11-22T03:00:00.000Z";
  expect(await backupsLine({ schedule: on, nextAt })).toBe(
    "warning: the schedule is on, but there are no backups yet; next backup 2026-11-22 03:00Z",
  );
  const run = { ...making, state: "failed", error: "the bucket is away" };
  expect(await backupsLine({ schedule: on, nextAt, last, run })).toBe(
    "warning: the last backup failed at 2026-11-21 03:00Z: the bucket is away; last backup 2026-11-20 03:00Z, in the folder; next backup 2026-11-22 03:00Z",
  );
  expect(await backupsLine({ last, run: { ...run, error: "The backup was canceled" } })).toBe(
    "last backup 2026-11-20 03:00Z, in the folder; not scheduled",
  );
  const toFile = { ...making, place: "handover", beatAt: "2026-11-21T03:00:09.000Z", sizeBytes: 1 };
  expect(await backupsLine({ run: toFile })).toBe(
    "last backup 2026-11-21 03:00Z, to a file; no stored backup; not scheduled",
  );
  expect(await backupsLine({ last, run: toFile })).toBe(
    "last backup 2026-11-21 03:00Z, to a file; last stored backup 2026-11-20 03:00Z, in the folder; not scheduled",
  );
  const proof = { at: nextAt, name: "a.tar.zst", madeAt: last.at, isSound: true };
  expect(await backupsLine({ last, run: making, proof })).toBe(
    "last backup 2026-11-20 03:00Z, in the folder; not scheduled; last verified 2026-11-22 03:00Z: a.tar.zst, restorable",
  );
});

test("a server of an older version is shown without its backups", async () => {
  const unknown = () => refusal(404, "NOT_FOUND", "Not found");
  expect(await shownOf(unknown)).not.toContain("Backups");
  expect(await fitsSchema("status", await shownOf(unknown, {}, "--json"))).toMatchObject({ backups: null });
});
