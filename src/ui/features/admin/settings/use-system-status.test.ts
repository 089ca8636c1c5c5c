import { expect, test } from "bun:test";
import { pollMs } from "./use-system-status.ts";

const redis = { state: "up" } as const;
const storage = { state: "up", migration: null } as const;
const migration = { moved: 1, total: 2, bytes: 10, failed: 0 };

test("connections that are being made and objects under way are looked at every 2 s", () => {
  expect(pollMs({ redis: { state: "connecting" }, storage })).toBe(2_000);
  expect(pollMs({ redis, storage: { state: "connecting", migration: null } })).toBe(2_000);
  expect(pollMs({ redis, storage: { state: "up", migration } })).toBe(2_000);
  expect(pollMs({ redis: { state: "away" }, storage: { state: "up", migration } })).toBe(2_000);
});

test("what is away or unknown is looked at every 5 s, what is up every 15 s, and what is not used every 30 s", () => {
  expect(pollMs(null)).toBe(5_000);
  expect(pollMs({ redis: { state: "away" }, storage })).toBe(5_000);
  expect(pollMs({ redis, storage: { state: "away", migration: null } })).toBe(5_000);
  expect(pollMs({ redis, storage })).toBe(15_000);
  expect(pollMs({ redis: { state: "unused" }, storage: { state: "unused", migration: null } })).toBe(30_000);
});
