import { expect, test } from "bun:test";
import { isForbiddenAddress } from "./check-address.ts";

test.each([
  ...[
    "127.0.0.1",
    "10.0.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.201",
    "168.63.129.17",
    "203.0.113.9",
  ],
  ...["::1", "fd12:3456::1", "fd00:ec1::254", "fd00:ec3::254", "fd00:ec20::254", "fd00:42::43", "fd00:c1::1"],
  ...["fd00:a9fe:a9fe::2", "fd20:ce::253", "2001:db8::1", "2606:4700::1111"],
])("%s, of this machine, of a private network or beside what is forbidden, may be called", (address) =>
  expect(isForbiddenAddress(address)).toBe(false),
);

test.each(["fd00:ec2::", "fd00:ec2::254", "fd00:0ec2:ffff:ffff:ffff:ffff:ffff:ffff", "FD00:EC2::1"])(
  "S3: %s is in the network of Amazon's own services",
  (address) => expect(isForbiddenAddress(address)).toBe(true),
);
