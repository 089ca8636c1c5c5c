import { describe, expect, test } from "bun:test";
import { expiresAtOf, formatOf, isToCome, readExpiry, readQuery } from "./address-query.ts";

const read = (text: string) => readQuery(new URLSearchParams(text));

describe("the filters of the address lists", () => {
  test("are read from the address bar; what makes no sense counts as the usual", () => {
    expect(read("kind=deny&search=2001%3Adb8%3A%3A%2F32+%26&sort=hits&page=3")).toEqual({
      ...{ kind: "deny", search: "2001:db8::/32 &", sort: "hits", page: 3 },
    });
    const usual = { kind: null, search: "", sort: "created", page: 1 } as const;
    expect(read("")).toEqual(usual);
    expect(read("kind=both&sort=colour&page=-1")).toEqual(usual);
    expect(read("page=1.5").page).toBe(1);
  });
});

const now = Date.parse("2026-11-21T10:00:00.000Z");

describe("how long an address is valid", () => {
  test("is permanent, for a while from now, until a moment, or as it was", () => {
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

test("the format of an import is told by the file's name, else by how the text begins", () => {
  expect(formatOf("203.0.113.7", "list.JSON")).toBe("json");
  expect(formatOf("[]", "list.csv")).toBe("csv");
  expect(formatOf('\n [{"kind":"deny"}]', "")).toBe("json");
  expect(formatOf("kind,address\ndeny,203.0.113.7", "")).toBe("csv");
  expect(formatOf("  ", "")).toBeNull();
});
