import { describe, expect, test } from "bun:test";
import { isPublicAddress } from "./check-address.ts";

const open =
  "1.1.1.1 93.184.216.34 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 198.17.0.1 198.20.0.1 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 2400:cb00::1";
const closed =
  "10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 172.16.0.1 172.31.0.1 192.168.0.1 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 255.255.255.255 0.0.0.0 169.254.0.1 ::1 :: fc00::1 fd00::1 fe80::1 ff02::1 2001:db8::1 2001::1 2001:10::1 2001:20::1 2001:1ff::1 2002:1:: 64:ff9b::1 ::ffff:1.1.1.1 3fff::1 3fff:0abc::1 100::1 4000::1 text 1.1.1 [::1]";

describe("an address of the public internet", () => {
  test.each(open.split(" "))("is %s", (address) => expect(isPublicAddress(address)).toBe(true));
  test.each(closed.split(" "))("is not %s", (address) => expect(isPublicAddress(address)).toBe(false));
});
