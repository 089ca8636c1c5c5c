import { describe, expect, test } from "bun:test";
import { canonicalAddress, createClientFinder } from "./client.ts";

const clients = createClientFinder(["loopback", "10.0.0.0/8", "fd00::/8"]);

describe("R1, R2: the client's address", () => {
  const rows: [string, string, string | null, string][] = [
    ["a direct connection is its peer", "203.0.113.7", null, "203.0.113.7"],
    ["a stranger's header is not believed", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["a trusted proxy's header is", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["the rightmost untrusted hop counts", "127.0.0.1", "192.0.2.1, 198.51.100.1, 10.1.2.3", "198.51.100.1"],
    ["a forged left part changes nothing", "10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"],
    ["a malformed left part is not even looked at", "10.0.0.1", "nonsense, 198.51.100.1", "198.51.100.1"],
    ["a malformed hop fails closed to the peer", "127.0.0.1", "198.51.100.1, nonsense", "127.0.0.1"],
    ["a malformed hop behind proxies does too", "127.0.0.1", "198.51.100.1, ?, 10.0.0.2", "127.0.0.1"],
    ["an empty hop does too", "127.0.0.1", "198.51.100.1,", "127.0.0.1"],
    ["a list of proxies alone is the peer", "127.0.0.1", "10.0.0.2, 10.0.0.3", "127.0.0.1"],
    ["an IPv4-mapped peer is IPv4", "::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["an IPv4-mapped proxy in the list is a proxy", "::1", "198.51.100.1, ::ffff:10.0.0.2", "198.51.100.1"],
    ["an IPv4-mapped client is IPv4", "127.0.0.1", "::FFFF:198.51.100.1", "198.51.100.1"],
    ["a proxy written with zeros is a proxy", "0:0:0:0:0:0:0:1", "198.51.100.1", "198.51.100.1"],
    ["IPv6 is compressed", "fd00::1", "2001:db8:0:0:0:0:0:1", "2001:db8::1"],
    ["a port is left out", "127.0.0.1", "198.51.100.1:99", "198.51.100.1"],
    ["a port of IPv6 is, with the brackets", "127.0.0.1", "[2001:DB8::1]:443", "2001:db8::1"],
    ["an IPv4-mapped client with a port is IPv4", "127.0.0.1", "[::ffff:198.51.100.1]:1", "198.51.100.1"],
    ["a proxy with a port is a proxy", "127.0.0.1", "198.51.100.1, 10.0.0.2:8080", "198.51.100.1"],
    ["brackets without a port are malformed", "127.0.0.1", "[2001:db8::1]", "127.0.0.1"],
    ["IPv4 in brackets is malformed", "127.0.0.1", "[198.51.100.1]:99", "127.0.0.1"],
    ["no port behind the colon is malformed", "127.0.0.1", "198.51.100.1:", "127.0.0.1"],
    ["a port of six digits is malformed", "127.0.0.1", "198.51.100.1:100000", "127.0.0.1"],
    ["a word in the place of the port is malformed", "127.0.0.1", "198.51.100.1:http", "127.0.0.1"],
    ["a zone with a port is malformed", "127.0.0.1", "[fe80::1%eth0]:1", "127.0.0.1"],
    ["IPv6 without brackets has no port", "127.0.0.1", "2001:db8::1:443", "2001:db8::1:443"],
    ["a zone in the header is malformed", "127.0.0.1", "fe80::1%eth0", "127.0.0.1"],
    ["an empty header is the peer", "127.0.0.1", "", "127.0.0.1"],
    ["a connection without an address has none", "", "198.51.100.1", ""],
  ];
  for (const [title, peer, header, expected] of rows)
    test(title, () => expect(clients.find(peer, header, true).ip).toBe(expected));

  test("while proxies are not trusted it is the peer's, whatever a header says", () => {
    for (const [, peer, header] of rows)
      expect(clients.find(peer, header, false).ip).toBe(clients.find(peer, null, true).ip);
  });

  test("says whether it is a proxy's word", () => {
    const isForwarded = (peer: string, header: string | null, trustProxy = true) =>
      clients.find(peer, header, trustProxy).isForwarded;
    expect(isForwarded("127.0.0.1", "198.51.100.1")).toBe(true);
    expect(isForwarded("127.0.0.1", null)).toBe(false);
    expect(isForwarded("203.0.113.7", "198.51.100.1")).toBe(false);
    expect(isForwarded("127.0.0.1", "198.51.100.1", false)).toBe(false);
  });
});

test("every spelling of one address becomes the same text", () => {
  expect(canonicalAddress("2001:0db8::0001")).toBe("2001:db8::1");
  expect(canonicalAddress("::ffff:203.0.113.9")).toBe("203.0.113.9");
  expect(canonicalAddress("::FFFF:cb00:7109")).toBe("203.0.113.9");
  for (const bad of ["", "1.2.3", "1.2.3.4.5", "fe80::1%eth0", "0x7f.1", "[::1]"])
    expect(canonicalAddress(bad)).toBeNull();
});
