import { expect, test } from "bun:test";
import { networkOf, placeBudgets, roughNetworkOf, siteOf } from "./circumstances.ts";

test("one caller is an IPv4 address or an IPv6 /64", () => {
  expect(networkOf("203.0.113.9")).toBe("203.0.113.9");
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
});

test("R2: an IPv6 address counts in its /48 too, with ten times the budget", () => {
  expect(siteOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1::/48");
  expect(siteOf("2001:db8::1")).toBe("2001:db8:0::/48");
  expect(siteOf("203.0.113.9")).toBeNull();
  const budget = { key: "contact:", most: 5, windowMs: 1_000, message: () => "" };
  const named = (address: string) => placeBudgets(address, budget).map(({ key, most }) => [key, most]);
  expect(named("203.0.113.9")).toEqual([["contact:203.0.113.9", 5]]);
  expect(named("2001:db8:1:2::9")).toEqual([
    ["contact:2001:db8:1:2::/64", 5],
    ["contact:2001:db8:1::/48", 50],
  ]);
});

test("an email to a stranger names half of an IPv4 address and the /48 of an IPv6 one", () => {
  expect(roughNetworkOf("203.0.113.9")).toBe("203.0.x.x");
  expect(roughNetworkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1::/48");
  expect(roughNetworkOf("2001:db8::1")).toBe("2001:db8:0::/48");
  expect(roughNetworkOf("local")).toBe("local");
});
