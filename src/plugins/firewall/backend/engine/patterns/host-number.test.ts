import { expect, test } from "bun:test";
import { hostNumber, mappedNumber } from "./host-number.ts";

test("every writing of an address stands for the same number", () => {
  for (const host of [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "127.0.1",
    "127.0.0.1.",
  ]) {
    expect([host, hostNumber(host)]).toEqual([host, 0x7f000001]);
  }
  for (const host of ["::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:127.0.0.1"]) {
    expect([host, mappedNumber(host)]).toEqual([host, 0x7f000001]);
  }
});

test("names are no numbers", () => {
  expect(["example.com", "1.2.3.4.5", "a.1", "0xzz"].map(hostNumber)).toEqual([null, null, null, null]);
  expect(mappedNumber("2001:db8::1")).toBeNull();
});
