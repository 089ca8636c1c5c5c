import { expect, test } from "bun:test";
import { changedValue } from "./history-panel.tsx";

test("values of the history read as the form shows them", () => {
  expect(changedValue("core", "rateLimiting.windowMs", 900_000)).toBe("15 minutes");
  expect(changedValue("core", "rateLimiting.maxRequests", 250)).toBe("250");
  expect(changedValue("core", "security.corsEnabled", false)).toBe("off");
  expect(changedValue("credentials", "redis.endpoint", "")).toBe("empty");
  expect(changedValue("credentials", "redis.endpoint", "redis://redis.example")).toBe(
    "redis://redis.example",
  );
  const id = "0123456789abcdef".repeat(2);
  expect(changedValue("site", "logo", `${id} full-90x40.svg`)).toBe("image 01234567");
});
