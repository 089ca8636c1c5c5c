import { expect, test } from "bun:test";
import { isInRange, networkOf, readRange, siteOf } from "./range.ts";

test.each([
  ["198.51.100.7", "198.51.100.7"],
  [" 198.51.100.7/24 ", "198.51.100.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["2001:db8::ffff/32", "2001:db8::/32"],
  ["::", "::"],
  ["::1/128", "::1"],
  ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["::ffff:10.1.2.3", "10.1.2.3"],
  ["::ffff:0a01:0203/120", "10.1.2.0/24"],
  ["64:ff9b::10.0.0.1", "64:ff9b::a00:1"],
])("F4: %p has one writing: %p", (written, canonical) => {
  expect(readRange(written)?.text).toBe(canonical);
});

test.each([
  ...[
    "",
    "localhost",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "0x7f.1.1.1",
    "1.2.3.4/33",
    "1.2.3.4/-1",
  ],
  ...[
    "1.2.3.4/8/8",
    "1.2.3.4/",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "fe80::1%eth0",
    "::1/129",
  ],
  ...["12345::", "::ffff:1.2.3.4/64", "1.2.3.4::", "g::1"],
])("F4: %p is neither an address nor a range", (text) => {
  expect(readRange(text)).toBeNull();
});

test("an address lies in the ranges that hold it, however it is written", () => {
  const v4 = readRange("10.0.0.0/8");
  const v6 = readRange("2001:db8::/32");
  if (v4 === null || v6 === null) throw new Error("both are ranges");
  expect([isInRange("10.255.0.1", v4), isInRange("::ffff:10.1.1.1", v4), isInRange("11.0.0.1", v4)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isInRange("2001:0db8::1", v6), isInRange("2001:db9::1", v6), isInRange("10.0.0.1", v6)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("an IPv6 caller is their /64 network, an IPv4 caller their address", () => {
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(networkOf("::1")).toBe("::/64");
  expect(networkOf("::ffff:10.0.0.1")).toBe("10.0.0.1");
  expect(networkOf("10.0.0.1")).toBe("10.0.0.1");
  expect(networkOf("local")).toBe("local");
  expect(siteOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1::/48");
  for (const address of ["::ffff:10.0.0.1", "10.0.0.1", "local"]) expect(siteOf(address)).toBeNull();
});
