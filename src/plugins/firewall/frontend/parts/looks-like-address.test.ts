import { expect, test } from "bun:test";
import { looksLikeAddress } from "./looks-like-address.ts";

test("addresses and ranges of both kinds are let through, slips are not", () => {
  const fine = ["203.0.113.7", " 203.0.113.0/24 ", "::1", "2001:db8::/32", "::ffff:203.0.113.7"];
  expect(fine.filter((text) => !looksLikeAddress(text))).toEqual([]);
  const wrong = ["", "example.com", "203.0.113", "203.0.113.256", "203.0.113.0/33", "2001:db8::/129"];
  const odd = ["1.2.3.4/24/8", "2001:db8:::1", "10.0.0.0/x", "1.2.3.4]"];
  expect([...wrong, ...odd].filter(looksLikeAddress)).toEqual([]);
});
