import { expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import type { Readiness } from "#api/core/metrics.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { openTestHandle } from "#api/testing/database-handle.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { newCounters, nothingStored } from "#api/testing/metric-sources.ts";
import { appSource, databaseSource, serviceSources } from "./sources.ts";

const host = await hostForFile();

const sessionLooks = { asked: 0, read: 0 };

/** The states whose figure is 1. */
const statesOf = async (read: Readiness["read"], isStarting = false) => {
  const samples = await appSource({
    readiness: { read },
    sessionLooks,
    isStarting: () => isStarting,
  }).read();
  return samples
    .filter(({ labels, value }) => labels?.state && value === 1)
    .map(({ labels }) => labels?.state);
};

test("each word that readiness can say is a state of its own, and one holds at a time", async () => {
  const failing = (kind: "SHUTTING_DOWN" | "DB_UNAVAILABLE") => () => Promise.reject(new AppError(kind));
  const lost = failing("DB_UNAVAILABLE");
  expect(await statesOf(lost)).toEqual(["unavailable"]);
  expect(await statesOf(failing("SHUTTING_DOWN"))).toEqual(["draining"]);
  expect(await statesOf(lost, true)).toEqual(["starting"]);
});

test("a database that answers is told with its times, its connections and its own process", async () => {
  const { handle, close } = await openTestHandle();
  try {
    const samples = new Map((await databaseSource(handle).read()).map(({ name, value }) => [name, value]));
    expect(samples.get("atrium_database_up")).toBe(1);
    expect(samples.get("atrium_database_ping_seconds")).toBeGreaterThan(0);
    expect(samples.get("atrium_database_connections")).toBeGreaterThan(0);
    expect(samples.has("atrium_database_child_restarts_total")).toBe(handle.kind === "embedded");
  } finally {
    await close();
  }
});

test("a database that is away is told as that, within the time of a scrape", async () => {
  const handle = openPostgres("postgres://nobody:nothing@127.0.0.1:1/none");
  const startedMs = performance.now();
  const samples = await databaseSource(handle).read();
  expect(performance.now() - startedMs).toBeLessThan(2_500);
  expect(samples.find(({ name }) => name === "atrium_database_up")?.value).toBe(0);
  expect(samples.some(({ name }) => name === "atrium_database_ping_seconds")).toBe(false);
  await handle.close();
});

const readSource = (wanted: string, { services = host.services, stored = nothingStored } = {}) =>
  serviceSources(services, newCounters(), stored)
    .find(({ name }) => name === wanted)
    ?.read();

test("a schedule that never made a backup reports when one was due; without a schedule there is no figure", async () => {
  const dueAt = async (due: Date | null) => {
    const samples = await readSource("backups", { stored: { ...nothingStored, backupDue: async () => due } });
    return samples?.find(({ name }) => name === "atrium_backup_due_timestamp_seconds")?.value;
  };
  expect(await dueAt(new Date("2026-05-04T03:00:00Z"))).toBe(Date.UTC(2026, 4, 4, 3) / 1000);
  expect(await dueAt(null)).toBeUndefined();
});

test("free disk space of the data folder is a figure, unless it is unknown", async () => {
  const figures = (freeBytes: number | null) =>
    readSource("disk", {
      services: { ...host.services, disk: { read: () => ({ freeBytes, isLow: false }) } },
    });
  expect(await figures(12)).toEqual([{ name: "atrium_data_free_bytes", value: 12 }]);
  expect(await figures(null)).toEqual([]);
});
