import { describe, expect, test } from "bun:test";
import { expiresAtOf, isToCome, readExpiry } from "./expiry.ts";

const now = Date.parse("2026-11-21T10:00:00.000Z");

describe("how long an address is valid", () => {
  test("is for good, for a while from now, until a moment, or as it was", () => {
    const at = (choice: string, moment = "") => expiresAtOf(readExpiry(choice), { moment, now });
    expect(at("never")).toBeNull();
    expect(at("12h")).toBe("2026-11-21T22:00:00.000Z");
    expect(at("7d")).toBe("2026-11-28T10:00:00.000Z");
    expect(at("keep")).toBeUndefined();
    expect(at("moment", "2026-12-24T18:30")).toBe(new Date("2026-12-24T18:30").toISOString());
    expect(at("a thousand years")).toBeNull();
  });

  test("cannot end in the past", () => {
    expect(isToCome("2020-01-01T00:00", now)).toBe(false);
    expect(isToCome("", now)).toBe(false);
    expect(isToCome("2100-01-01T00:00", now)).toBe(true);
  });
});
