import { describe, expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { createClientFinder, createProxyWatch } from "./client.ts";

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
      for (const value of forwarded) watch.see(clients.find(peer, value, isOn), value, isOn);
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
