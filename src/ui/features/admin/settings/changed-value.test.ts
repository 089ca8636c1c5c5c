import { expect, test } from "bun:test";
import { changedValue } from "./changed-value.ts";

test("values of the history read as the form shows them", () => {
  expect(changedValue("rateLimiting.windowMs", 900_000)).toBe("15 minutes");
  expect(changedValue("rateLimiting.maxRequests", 250)).toBe("250");
  expect(changedValue("security.corsEnabled", false)).toBe("off");
  expect(changedValue("redis.endpoint", "")).toBe("empty");
  expect(changedValue("redis.endpoint", "redis://redis.example")).toBe("redis://redis.example");
});
