import { describe, expect, test } from "bun:test";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { nameComplaint } from "#contract/account-rules.ts";
import { nameFromProfile } from "./provider-identity.ts";

const nameOf = (name: string | null, email = "ada@example.test") =>
  nameFromProfile({ subject: "1", name, email, isEmailVerified: true }, email);

describe("the name of someone who comes from a provider", () => {
  test.each([
    ["Ada Lovelace", "Ada Lovelace"],
    ["  Ada  ", "Ada"],
    ["Ada\u202eLovelace\n", "Ada Lovelace"],
    ["👩‍🚀 Ada", "👩‍🚀 Ada"],
    ["x".repeat(150), "x".repeat(100)],
    ["😀".repeat(150), "😀".repeat(100)],
    ["", "ada"],
    ["\u3164\u200b", "ada"],
    [null, "ada"],
  ])("is for %j the one that can be shown: %j", (given, expected) => {
    expect(nameOf(given)).toBe(expected);
  });

  test("is for a very long address the beginning of it", () => {
    expect(nameOf(null, `${"a".repeat(200)}@example.test`)).toBe("a".repeat(100));
  });

  test("keeps to the rules for names, whatever the provider says", () => {
    for (const text of hostileTexts) expect([text, nameComplaint(nameOf(text))]).toEqual([text, null]);
  });
});
