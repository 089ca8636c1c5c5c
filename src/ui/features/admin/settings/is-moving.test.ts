import { expect, test } from "bun:test";
import { isMoving } from "./is-moving.ts";

const redis = { state: "up" } as const;
const storage = { state: "up", migration: null } as const;
const migration = { moved: 1, total: 2, bytes: 10, failed: 0 };

test("connections that are being made and objects under way are looked at often, whatever rests is not", () => {
  expect(isMoving({ redis, storage })).toBe(false);
  expect(isMoving({ redis: { state: "away" }, storage: { state: "unused", migration: null } })).toBe(false);
  expect(isMoving({ redis: { state: "connecting" }, storage })).toBe(true);
  expect(isMoving({ redis, storage: { state: "connecting", migration: null } })).toBe(true);
  expect(isMoving({ redis, storage: { state: "up", migration } })).toBe(true);
});
