import { describe, expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { canonicalAddress, createClientFinder, createProxyWatch } from "./client.ts";

const proxy = "192.0.2.10";
const inner = "172.18.0.5";
const mine = "198.51.100.77";

/** A watch over requests; `trustProxy` is the switch, `trusted` the list. */
const watchOver = ({ trusted = ["loopback"], trustProxy = true } = {}) => {
  let isOn = trustProxy;
  const clock = createTestClock();
  const clients = createClientFinder(trusted);
  const watch = createProxyWatch({ clock, isProxy: clients.isProxy });
  return {
    clock,
    see: (peer: string, ...forwarded: (string | null)[]) => {
      for (const forwardedFor of forwarded)
        watch.see(clients.find(peer, forwardedFor, isOn), {
          ...{ forwardedFor, trustProxy: isOn, nowMs: clock.uptimeMs() },
        });
    },
    turn: (on: boolean) => {
      isOn = on;
    },
    /** What an admin is told whose call came from `peer` with that header; the peer's own word unless given. */
    warning: (peer: string, forwardedFor: string | null = mine) =>
      watch.warningFor(clients.find(peer, forwardedFor, isOn), forwardedFor, isOn),
    operatorWarning: () => watch.warningForOperator(isOn),
    newest: () => watch.newestAddress(),
  };
};
const three = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];

test("admins who come through an unlisted proxy are warned of it, with what to do", () => {
  const { see, warning } = watchOver();
  see(proxy, ...three);
  expect(warning(proxy)).toBe(
    "All visitors appear to have the same address: check your proxy. Requests come through 192.0.2.10, and the client " +
      "addresses that it reports are ignored. To change that, add 192.0.2.10 to TRUSTED_PROXIES if it is yours.",
  );
});

test("with Trust Proxy off the warning names the switch, and the list where the proxy is not on it", () => {
  const listed = watchOver({ trustProxy: false });
  listed.see("127.0.0.1", ...three);
  expect(listed.warning("127.0.0.1")).toEndWith("To change that, turn on Trust Proxy.");
  const unlisted = watchOver({ trustProxy: false });
  unlisted.see(proxy, ...three);
  expect(unlisted.warning(proxy)).toEndWith(
    "add 192.0.2.10 to TRUSTED_PROXIES if it is yours and turn on Trust Proxy.",
  );
});

test("turning Trust Proxy on ends the warning immediately; turning it off starts counting again", () => {
  const { see, turn, warning, operatorWarning } = watchOver({ trustProxy: false });
  see("127.0.0.1", ...three);
  expect(warning("127.0.0.1")).not.toBeNull();
  turn(true);
  expect(warning("127.0.0.1")).toBeNull();
  see("127.0.0.1", ...three);
  turn(false);
  see("127.0.0.1", "198.51.100.1", "198.51.100.2");
  expect([warning("127.0.0.1"), operatorWarning()]).toEqual([null, null]);
  see("127.0.0.1", "198.51.100.3");
  expect(warning("127.0.0.1")).not.toBeNull();
  expect(operatorWarning()).not.toBeNull();
});

test("there is no warning while proxies are trusted, or no one comes through one", () => {
  const { see, warning, operatorWarning } = watchOver({ trusted: [proxy] });
  see(proxy, ...three);
  see("203.0.113.1", null, null, null, null);
  for (const peer of [proxy, "203.0.113.1"]) expect(warning(peer)).toBeNull();
  expect(operatorWarning()).toBeNull();
});

test("one or two values, however often, cause no warning", () => {
  const { see, warning } = watchOver();
  for (let round = 0; round < 50; round += 1) see(proxy, "198.51.100.1", "198.51.100.2");
  expect(warning(proxy)).toBeNull();
});

describe("a client that makes values up", () => {
  const invented = Array.from({ length: 1_000 }, (_, index) => `198.51.100.${index}`);

  test("causes no warning for visitors from elsewhere, or for those of the same address without such a value", () => {
    const { see, warning } = watchOver();
    see("203.0.113.1", null);
    see(proxy, ...invented);
    expect(warning("203.0.113.1")).toBeNull();
    expect(warning("203.0.113.1", null)).toBeNull();
    expect(warning(proxy, null)).toBeNull();
  });

  test("causes no warning for the operator, whether it is the only visitor or not", () => {
    const { see, operatorWarning } = watchOver();
    see(proxy, ...invented);
    expect(operatorWarning()).toBeNull();
    see(inner, ...three);
    // Others come from elsewhere, so that not everyone looks the same.
    expect(operatorWarning()).toBeNull();
  });

  test("cannot put text into the warning, which names only addresses of connections", () => {
    const { see, warning, operatorWarning } = watchOver();
    const canaries = ["<img src=x onerror=canary>", "canary\r\nX-Canary: 1", "203.0.113.66, canary"];
    see(inner, ...canaries);
    const texts = [warning(inner), operatorWarning()];
    for (const text of texts) {
      expect(text).toContain(inner);
      expect(text).not.toMatch(/canary|203\.0\.113\.66/);
    }
    see("canary.example%eth0", ...canaries);
    expect(warning("canary.example%eth0")).toBeNull();
  });
});

test("the operator is warned when all requests seem to come from an internal machine", () => {
  for (const peer of [inner, "127.0.0.1", "10.1.2.3", "fd00::7"]) {
    const { see, operatorWarning } = watchOver({ trusted: [] });
    expect(operatorWarning()).toBeNull();
    see(peer, ...three);
    expect(operatorWarning()).toContain(peer);
  }
});

test("the operator is warned of a listed proxy at any address while Trust Proxy is off", () => {
  const { see, operatorWarning } = watchOver({ trusted: [proxy], trustProxy: false });
  see(proxy, ...three);
  expect(operatorWarning()).toEndWith("To change that, turn on Trust Proxy.");
});

test("the operator can see under which address the newest visitor counts, for ten minutes", () => {
  const { clock, see, newest } = watchOver();
  expect(newest()).toBeNull();
  see("203.0.113.1", null);
  see("127.0.0.1", "198.51.100.4");
  expect(newest()).toBe("198.51.100.4");
  see("127.0.0.1", "canary");
  expect(newest()).toBe("127.0.0.1");
  clock.advance(600_001);
  expect(newest()).toBeNull();
});

test("requests older than ten minutes do not count", () => {
  const { clock, see, warning, operatorWarning } = watchOver();
  see("203.0.113.1", null);
  clock.advance(600_001);
  see(inner, ...three);
  expect(operatorWarning()).toContain(inner);
  clock.advance(600_001);
  expect([operatorWarning(), warning(inner)]).toEqual([null, null]);
  see(inner, "198.51.100.1");
  expect(warning(inner)).toBeNull();
});

test("of a flood of peers with ever new values only the latest are remembered", () => {
  const { see, warning } = watchOver();
  see(proxy, ...three);
  for (let index = 0; index < 5_000; index += 1)
    see(`203.0.${index >> 8}.${index & 255}`, ...three, "x".repeat(8_000));
  expect(warning(proxy)).toBeNull();
  const last = 4_999;
  expect(warning(`203.0.${last >> 8}.${last & 255}`)).not.toBeNull();
});

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
