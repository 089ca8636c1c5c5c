import { expect, test } from "bun:test";
import { nextAttempt } from "./mail-worker.ts";

const createdAt = new Date("2026-01-01T00:00:00.000Z");
const after = (ms: number) => new Date(createdAt.getTime() + ms);
const hourMs = 3_600_000;

test("an email is tried again after 10 s, 1 min, 5 min, 15 min, and then every hour", () => {
  const waits = [0, 1, 2, 3, 4, 5, 12].map((attempts) => {
    const next = nextAttempt(createdAt, { attempts, createdAt });
    return next && (next.getTime() - createdAt.getTime()) / 1000;
  });
  expect(waits).toEqual([10, 60, 300, 900, 3600, 3600, 3600]);
});

test("an email is given up once its next try would come after 24 hours", () => {
  expect(nextAttempt(after(23 * hourMs), { attempts: 30, createdAt })).toEqual(after(24 * hourMs));
  expect(nextAttempt(after(23 * hourMs + 1), { attempts: 30, createdAt })).toBeNull();
});
