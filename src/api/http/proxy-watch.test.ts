import { expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { createClientFinder } from "./client-address.ts";
import { createProxyWatch } from "./proxy-watch.ts";

const proxy = "192.0.2.10";

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
    warning: (peer: string | null) => watch.warningFor(peer, isOn),
  };
};
const three = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];

test("visitors who come through an unlisted proxy are warned of it, with what to do", () => {
  const { see, warning } = watchOver();
  see(proxy, ...three);
  expect(warning(proxy)).toBe(
    "Every visitor looks the same: check your proxy. Requests come through 192.0.2.10, and what it says of their " +
      "senders does not count. To change that, name 192.0.2.10 in TRUSTED_PROXIES if it is yours.",
  );
});

test("with Trust Proxy off the switch is what to do, and the list as well where the proxy is not on it", () => {
  const listed = watchOver({ trustProxy: false });
  listed.see("127.0.0.1", ...three);
  expect(listed.warning("127.0.0.1")).toEndWith("To change that, switch Trust Proxy on.");
  const unlisted = watchOver({ trustProxy: false });
  unlisted.see(proxy, ...three);
  expect(unlisted.warning(proxy)).toEndWith(
    "name 192.0.2.10 in TRUSTED_PROXIES if it is yours and switch Trust Proxy on.",
  );
});

test("switching Trust Proxy on ends the warning at once, and off begins anew with what comes then", () => {
  const { see, turn, warning } = watchOver({ trustProxy: false });
  see("127.0.0.1", ...three);
  expect(warning("127.0.0.1")).not.toBeNull();
  turn(true);
  expect(warning("127.0.0.1")).toBeNull();
  see("127.0.0.1", ...three);
  turn(false);
  see("127.0.0.1", "198.51.100.1", "198.51.100.2");
  expect([warning("127.0.0.1"), warning(null)]).toEqual([null, null]);
  see("127.0.0.1", "198.51.100.3");
  expect(warning("127.0.0.1")).not.toBeNull();
  expect(warning(null)).not.toBeNull();
});

test("there is nothing to warn of while proxies are believed, or nobody comes through one", () => {
  const { see, warning } = watchOver({ trusted: [proxy] });
  see(proxy, ...three);
  see("203.0.113.1", null, null, null, null);
  for (const peer of [proxy, "203.0.113.1", null]) expect(warning(peer)).toBeNull();
});

test("a value or two, however often, is a visitor of their own making", () => {
  const { see, warning } = watchOver();
  for (let round = 0; round < 50; round += 1) see(proxy, "198.51.100.1", "198.51.100.2");
  expect(warning(proxy)).toBeNull();
});

test("whoever makes values up warns neither visitors from elsewhere nor the operator", () => {
  const { see, warning } = watchOver();
  see("203.0.113.1", null);
  see(proxy, ...Array.from({ length: 1_000 }, (_, index) => `198.51.100.${index}`));
  see("203.0.113.1", null);
  see(proxy, ...three);
  expect(warning("203.0.113.1")).toBeNull();
  expect(warning(null)).toBeNull();
});

test("the operator is warned when nobody seems to come from elsewhere", () => {
  const { see, warning } = watchOver();
  expect(warning(null)).toBeNull();
  see(proxy, ...three);
  expect(warning(null)).toContain(proxy);
});

test("what was ten minutes ago does not count", () => {
  const { clock, see, warning } = watchOver();
  see("203.0.113.1", null);
  clock.advance(600_001);
  see(proxy, ...three);
  expect(warning(null)).toContain(proxy);
  clock.advance(600_001);
  expect([warning(null), warning(proxy)]).toEqual([null, null]);
  see(proxy, "198.51.100.1");
  expect(warning(proxy)).toBeNull();
});

test("a flood of peers with ever new values is forgotten but for the last of them", () => {
  const { see, warning } = watchOver();
  see(proxy, ...three);
  for (let index = 0; index < 5_000; index += 1)
    see(`203.0.${index >> 8}.${index & 255}`, ...three, "x".repeat(8_000));
  expect(warning(proxy)).toBeNull();
  const last = 4_999;
  expect(warning(`203.0.${last >> 8}.${last & 255}`)).not.toBeNull();
});
