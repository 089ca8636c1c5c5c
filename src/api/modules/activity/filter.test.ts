import { describe, expect, test } from "bun:test";
import { sampleActivity } from "#api/testing/sample-activity.ts";
import { activityTexts, filterDateComplaint, readFilterDate } from "#contract/activity.ts";
import { matches, readFilter } from "./filter.ts";

const activity = sampleActivity(7, {
  timestamp: "2026-01-31T12:00:00.500Z",
  type: "admin_action",
  action: "Changed the role of a user",
  description: "ada@example.test is an admin",
  severity: "medium",
  userEmail: "Grace@Example.test",
  ip: "203.0.113.7",
  userAgent: "Browser",
});
const passes = (query: Parameters<typeof readFilter>[0]) => matches(readFilter(query), activity);

describe("an activity gets past a filter", () => {
  test("that is empty", () => {
    expect(passes({})).toBe(true);
    expect(passes({ search: "  " })).toBe(true);
  });

  test("when each field holds one of the words that are asked for", () => {
    expect(passes({ type: "api_call, admin_action", status: "success", severity: "low,medium" })).toBe(true);
    expect(passes({ type: "api_call,admin_action", status: "failure" })).toBe(false);
    expect(passes({ pluginName: "core", actorKind: "user,operator" })).toBe(true);
    expect(passes({ pluginName: "cor" })).toBe(false);
  });

  test("for security events, when it is critical or about permissions", () => {
    expect(passes({ security: "true" })).toBe(false);
    expect(passes({ security: "false" })).toBe(true);
    const security = readFilter({ security: "true" });
    expect(matches(security, { ...activity, severity: "critical" })).toBe(true);
    expect(matches(security, { ...activity, type: "permission_violation" })).toBe(true);
  });

  test("when it was recorded between the dates, the end's day or millisecond included", () => {
    expect(passes({ startDate: "2026-01-31", endDate: "2026-01-31" })).toBe(true);
    expect(passes({ startDate: "2026-02-01" })).toBe(false);
    expect(passes({ endDate: "2026-01-30" })).toBe(false);
    expect(passes({ startDate: "2026-01-31T12:00:00.500Z", endDate: "2026-01-31T12:00:00.500Z" })).toBe(true);
    expect(passes({ startDate: "2026-01-31T12:00:00.501Z" })).toBe(false);
    expect(passes({ endDate: "2026-01-31T12:00:00.499Z" })).toBe(false);
    expect(passes({ startDate: "2026-01-31T14:00:00+02:00", endDate: "2026-01-31T07:01-05:00" })).toBe(true);
  });

  test("when a column that the list shows holds the text, in any case", () => {
    for (const search of [
      "ROLE of",
      "is an ADMIN",
      "grace@",
      "0.113",
      " user ",
      "admin_action",
      "Admin action",
      "core",
    ])
      expect(passes({ search })).toBe(true);
    for (const search of ["browser", "r%e", "u_er", "_"]) expect(passes({ search })).toBe(false);
  });
});

describe("L6: a date", () => {
  test.each([
    ["1900-01-01", "1900-01-01T00:00:00.000Z"],
    ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"],
    ["9999-12-31", "9999-12-31T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2026-01-31T23:59Z", "2026-01-31T23:59:00.000Z"],
    ["2026-01-31T00:00:00.1Z", "2026-01-31T00:00:00.100Z"],
    ["2026-01-31T00:00:00.123456789+05:30", "2026-01-30T18:30:00.123Z"],
  ])("%s is the moment %s", (text, moment) => {
    expect(filterDateComplaint(text)).toBeNull();
    expect(new Date(readFilterDate(text)?.ms ?? Number.NaN).toISOString()).toBe(moment);
  });

  test.each([
    ...["", " ", "now", "2026", "2026-01", "2026-1-31", "26-01-31", "2026-02-30", "2025-02-29", "2026-13-01"],
    ...[
      "2026-00-10",
      "2026-01-00",
      "0000-01-01",
      "1899-12-31",
      "10000-01-01",
      "+010000-01-01",
      "-2026-01-01",
    ],
    ...[
      "2026-01-31T12:00:00",
      "2026-01-31 12:00:00Z",
      "2026-01-31T24:00:00Z",
      "2026-01-31T12:60:00Z",
      "20260131",
    ],
    ...["2026-01-31T12:00:00 02:00", "2026-01-31T12:00:00+99:00", "2026-01-31Z", "2026-01-31;x", "infinity"],
    ...["1769817600000", "31.01.2026", "\u0662\u0660\u0662\u0666-01-31", "2026-01-31T12:00:00.0000000001Z"],
  ])("%p is refused", (text) => {
    expect(filterDateComplaint(text)).toBe(activityTexts.dateInvalid);
  });

  test("that ends before it starts is refused, one that ends with its start is not", () => {
    const refusal = expect.objectContaining({
      kind: "VALIDATION_FAILED",
      errors: [{ path: "endDate", message: activityTexts.endBeforeStart }],
    });
    for (const [startDate, endDate] of [
      ["2026-01-31", "2026-01-30"],
      ["2026-01-31T12:00:00Z", "2026-01-31T11:59:59.999Z"],
      ["2026-02-01T00:00:00Z", "2026-01-31"],
    ] as const) {
      expect(() => readFilter({ startDate, endDate })).toThrow(refusal);
    }
    expect(readFilter({ startDate: "2026-01-31T23:59:59Z", endDate: "2026-01-31" })).toMatchObject({
      fromMs: Date.UTC(2026, 0, 31, 23, 59, 59),
      toMs: Date.UTC(2026, 1, 1),
    });
  });
});
