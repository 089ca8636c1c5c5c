import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusal, run, success } from "#cli/testing/run.ts";
import { inUse, plainStatus } from "#cli/testing/system-status.ts";
import type { SystemStatus } from "#contract/settings.ts";

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

/** What `status` prints of a server that answers so. */
const shown = (change: Partial<SystemStatus>, ...options: string[]): Promise<string> =>
  shownOf(() => success(noBackups), change, ...options);

const shownOf = async (
  backups: () => Response,
  change: Partial<SystemStatus> = {},
  ...options: string[]
): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-status-"));
  const server = Bun.serve({
    unix: join(folder, "control.sock"),
    fetch: ({ url }) => {
      if (url.endsWith("/api/admin/backups/health")) return backups();
      return success(url.endsWith("/api/system/status") ? { ...plainStatus, ...change } : info);
    },
  });
  try {
    const { code, out } = await run(["status", ...options], { env: { DATA_DIR: folder } });
    expect(code).toBe(0);
    return out;
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
    "\nRedis\tcache.example:6379, away since 2026-11-20 18:40Z: connection refused; from REDIS_URL\n",
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
    "\nFirewall\tenabled, its master switch off\n",
  );
  expect(await shown(firewall({ ...managing, developmentModeEnabled: true }))).toContain(
    "\nFirewall\ton, its limit off, in development mode\n",
  );
  expect(await shown({ ...firewall({ ...managing, rateLimitingEnabled: true }), limiter: off })).toContain(
    "\nRequests\tcounted by the firewall\nFirewall\ton, its limit on\n",
  );
});

test("that every visitor looks the same is shown, and nothing while all is well", async () => {
  const warning = "Every visitor looks the same: check your proxy.";
  const visitor = { ...plainStatus.visitor, warning };
  expect(await shown({ visitor })).toEndWith(`\nProxy\t${warning}\n`);
});

test("a server that was started in safe mode says that its plugins are off", async () => {
  expect(await shown({ isSafeMode: true })).toEndWith(
    "\nPlugins\tall off until the next start: started in safe mode\n",
  );
});

test("with --json the data of both calls are printed, and nothing besides", async () => {
  expect(JSON.parse(await shown({ redis: inUse }, "--json"))).toEqual({
    ...info,
    ...plainStatus,
    redis: inUse,
    backups: noBackups,
  });
});

const making = { isScheduled: true, startedAt: "2026-11-21T03:00:00.000Z", state: "done", error: null };
const on = { ...noBackups.schedule, isEnabled: true };
const last = { at: "2026-11-20T03:00:00.000Z", name: "a", place: "folder", sizeBytes: 1 };
const backupsLine = async (change: object) =>
  /\nBackups\t(.*)\n/.exec(await shownOf(() => success({ ...noBackups, ...change })))?.[1];

test("a backup that failed, or that the schedule owes, is a warning; a schedule that is off is none", async () => {
  expect(await backupsLine({})).toBe("none was made yet; no schedule");
  const nextAt = "2026-11-22T03:00:00.000Z";
  expect(await backupsLine({ schedule: on, nextAt })).toBe(
    "warning: the schedule is on, and none was made yet; the next one 2026-11-22 03:00Z",
  );
  const run = { ...making, state: "failed", error: "the bucket is away" };
  expect(await backupsLine({ schedule: on, nextAt, last, run })).toBe(
    "warning: the newest try failed, 2026-11-21 03:00Z: the bucket is away; the last one 2026-11-20 03:00Z, in the folder; the next one 2026-11-22 03:00Z",
  );
  expect(await backupsLine({ last, run: { ...run, error: "It was cancelled" } })).toBe(
    "the last one 2026-11-20 03:00Z, in the folder; no schedule",
  );
  const proof = { at: nextAt, name: "a.tar.zst", madeAt: last.at, isSound: true };
  expect(await backupsLine({ last, run: making, proof })).toBe(
    "the last one 2026-11-20 03:00Z, in the folder; no schedule; last verified 2026-11-22 03:00Z: a.tar.zst, sound",
  );
});

test("a server of an older version is shown without its backups", async () => {
  expect(await shownOf(() => refusal(404, "NOT_FOUND", "Not found"))).not.toContain("Backups");
});
