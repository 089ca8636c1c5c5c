import { describe, expect, test } from "bun:test";
import { tokenTexts } from "#contract/api-tokens.ts";
import { createRules, readEnd, readScopes, readTerms, termRules } from "./token-terms.tsx";

const nothing = { plugins: "", settings: "", activity: "", users: "", backups: "", all: "" };
const now = Date.parse("2026-11-21T10:00:00.000Z");

describe("what a new token is allowed", () => {
  test("is the chosen level of each area, or everything", () => {
    expect(readScopes({ ...nothing, plugins: "write", users: "read", backups: "read" })).toEqual([
      ...(["plugins:write", "users:read", "backups:read"] as const),
    ]);
    expect(readScopes({ ...nothing, plugins: "write settings", settings: "security" })).toEqual([
      ...(["plugins:write", "plugins:settings", "settings:security"] as const),
    ]);
    expect(readScopes({ ...nothing, plugins: "read", all: "on" })).toEqual(["*"]);
  });

  test("is complained about when it is nothing", () => {
    const typed = {
      ...nothing,
      name: "ci",
      allowedNetworks: "",
      callsPerMinute: "",
      expiresAt: "90",
      day: "",
    };
    expect(createRules.plugins("", typed)).not.toBeNull();
    expect(createRules.plugins("", { ...typed, activity: "read" })).toBeNull();
    expect(createRules.name(" ")).not.toBeNull();
    expect(createRules.name("ci")).toBeNull();
    expect(createRules.expiresAt("custom", typed)).not.toBeNull();
    expect(createRules.expiresAt("90", typed)).toBeNull();
  });
});

test("its end is so many days from now, the end of a day in UTC, or none", () => {
  expect(readEnd({ expiresAt: "30", day: "" }, now)).toBe("2026-12-21T10:00:00.000Z");
  expect(readEnd({ expiresAt: "custom", day: "2027-01-31" }, now)).toBe("2027-01-31T23:59:59.999Z");
  expect(readEnd({ expiresAt: "never", day: "" }, now)).toBeNull();
});

test("its terms are sent trimmed; a limit that is no number is complained about and not sent", () => {
  const typed = { name: " ci ", allowedNetworks: " 10.0.0.0/8,\n192.0.2.7 \n", callsPerMinute: " 60 " };
  expect(readTerms(typed)).toEqual({
    name: "ci",
    allowedNetworks: ["10.0.0.0/8", "192.0.2.7"],
    callsPerMinute: 60,
  });
  expect(readTerms({ ...typed, callsPerMinute: "" }).callsPerMinute).toBeNull();
  expect(termRules.callsPerMinute("many")).toBe(tokenTexts.badCalls);
  expect(termRules.callsPerMinute(typed.callsPerMinute)).toBeNull();
});
