import { expect, test } from "bun:test";
import { createCounter } from "#api/core/metrics.ts";
import { createTestHost } from "#api/testing/host.ts";
import { serviceSources } from "./service-sources.ts";

const counters = {
  cache: createCounter(["hit", "miss"] as const),
  refusals: createCounter(["core", "plugins", "attempts"] as const),
};

test("a schedule that never made a backup is told by what it owes, an installation without one by nothing", async () => {
  const host = await createTestHost();
  try {
    const figures = async (due: Date | null) => {
      const stored = {
        oldestMail: async () => null,
        activities: async () => 0,
        lastBackup: async () => null,
        backupDue: async () => due,
      };
      const source = serviceSources(host.services, counters, stored).find(({ name }) => name === "backups");
      return new Map((await source?.read())?.map(({ name, value }) => [name, value]));
    };
    const owed = await figures(new Date("2026-05-04T03:00:00Z"));
    expect(owed.get("atrium_backup_due_timestamp_seconds")).toBe(Date.UTC(2026, 4, 4, 3) / 1000);
    expect((await figures(null)).has("atrium_backup_due_timestamp_seconds")).toBe(false);
  } finally {
    await host.close();
  }
});

test("room where the data folder lies is a figure, unless nobody knows it", async () => {
  const host = await createTestHost();
  try {
    const figures = (freeBytes: number | null) => {
      const services = { ...host.services, disk: { read: () => ({ freeBytes, isLow: false }) } };
      const stored = {
        oldestMail: async () => null,
        activities: async () => 0,
        lastBackup: async () => null,
        backupDue: async () => null,
      };
      return serviceSources(services, counters, stored)
        .find(({ name }) => name === "disk")
        ?.read();
    };
    expect(await figures(12)).toEqual([{ name: "atrium_data_free_bytes", value: 12 }]);
    expect(await figures(null)).toEqual([]);
  } finally {
    await host.close();
  }
});
