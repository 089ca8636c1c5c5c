import { describe, expect, test } from "bun:test";
import { looksLikeAddress, readFieldNames, readWindow, toWindowMs, windowText } from "./rule-values.ts";

test("addresses and ranges of both kinds are let through, slips are not", () => {
  const fine = ["203.0.113.7", " 203.0.113.0/24 ", "::1", "2001:db8::/32", "::ffff:203.0.113.7"];
  expect(fine.filter((text) => !looksLikeAddress(text))).toEqual([]);
  const wrong = ["", "example.com", "203.0.113", "203.0.113.256", "203.0.113.0/33", "2001:db8::/129"];
  const odd = ["1.2.3.4/24/8", "2001:db8:::1", "10.0.0.0/x", "1.2.3.4]"];
  expect([...wrong, ...odd].filter(looksLikeAddress)).toEqual([]);
});

test("names of fields are read with commas, spaces and lines between, each once", () => {
  expect(readFieldNames(" message, user.bio\nnote,,message ")).toEqual(["message", "user.bio", "note"]);
  expect(readFieldNames(" , ")).toEqual([]);
});

describe("the window of a rate rule", () => {
  test("is shown in the largest unit in which it is whole, and read back as it was", () => {
    for (const ms of [1_000, 90_000, 900_000, 3_600_000, 86_400_000]) {
      const { amount, unit } = readWindow(ms);
      expect(toWindowMs(String(amount), unit)).toBe(ms);
    }
    expect(readWindow(900_000)).toEqual({ amount: 15, unit: "minute" });
    expect(readWindow(90_000)).toEqual({ amount: 90, unit: "second" });
  });

  test("is refused when it is no whole number, nothing, or longer than a day", () => {
    expect(["", "0", "1.5", "-1", "many"].map((text) => toWindowMs(text, "minute"))).toEqual(
      Array(5).fill(null),
    );
    expect(toWindowMs("25", "hour")).toBeNull();
    expect(toWindowMs("1", "fortnight")).toBeNull();
  });

  test("reads in words", () => {
    expect(windowText(60_000, "en")).toBe("1 minute");
    expect(windowText(900_000, "en")).toBe("15 minutes");
  });
});
