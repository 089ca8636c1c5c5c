import { beforeEach, expect, test } from "bun:test";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { visitor } from "#api/door/exchange.ts";
import { createFixedFirewall, createFixedSettings, unlimitedCore } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, operatorClient } from "#api/testing/host.ts";
import { limitedCore } from "#api/testing/limited-core.ts";

const settings = createFixedSettings();
const host = await hostForFile({ settings, corsOrigins: ["https://app.example", "*"] });
const admin = await host.signedIn("admin");
const { accounts } = settings.current;
beforeEach(() => {
  settings.setCore(unlimitedCore);
  settings.setAccounts(accounts);
});

const statusFrom = async (peer: string, forwardedFor?: string) => {
  const headers = {
    cookie: admin.cookie ?? "",
    ...(forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor }),
  };
  const response = await host.request("/api/system/status", { headers }, peer);
  expect(response.status).toBe(200);
  return (await response.json()).data;
};

test("an installation as it comes has no firewall, uses nothing from outside, and counts in memory", async () => {
  settings.setCore(limitedCore());
  const { visitor: _visitor, ...status } = await statusFrom("127.0.0.1");
  expect(status).toEqual({
    firewall: createFixedFirewall().status(),
    redis: host.services.serviceStates.redis(),
    storage: await host.services.serviceStates.storage(),
    limiter: { isEnabled: true, store: "memory" },
    breachCheck: { mode: "off", failedAt: null },
    cors: { origins: ["https://app.example"] },
    isSafeMode: false,
  });
});

test("admins are told that the server was started in safe mode", async () => {
  const own = await createTestHost({ settings: createFixedSettings(), plugins: { isSafeMode: true } });
  try {
    const response = await operatorClient(own).call("GET", "/api/system/status");
    expect((await response.json()).data.isSafeMode).toBe(true);
  } finally {
    await own.close();
  }
});

test("admins are told for an hour when a new password could not be checked against breaches", async () => {
  settings.setAccounts({ ...accounts, breachedPasswords: "online" });
  const at = host.clock.now().toISOString();
  const ctx = { ...host.services, actor: visitor, requestId: "1", ip: "local", userAgent: null };
  const away = async () => "unknown" as const;
  await checkNewPassword({ ...ctx, breachCheck: away }, "four words of mine", { name: "", email: "" });
  expect((await statusFrom("127.0.0.1")).breachCheck).toEqual({ mode: "online", failedAt: at });
  host.clock.advance(60 * 60 * 1000);
  expect((await statusFrom("127.0.0.1")).breachCheck.failedAt).toBeNull();
});

test("a limit that is switched off is shown as off", async () => {
  expect((await statusFrom("127.0.0.1")).limiter.isEnabled).toBe(false);
});

test("admins see their own address, and that a proxy told it", async () => {
  expect((await statusFrom("203.0.113.7")).visitor).toEqual({
    ip: "203.0.113.7",
    peer: "203.0.113.7",
    isBehindTrustedProxy: false,
    trustedProxies: ["loopback"],
    warning: null,
  });
  expect((await statusFrom("127.0.0.1", "2001:db8:0::7")).visitor).toEqual({
    ip: "2001:db8::7",
    peer: "127.0.0.1",
    isBehindTrustedProxy: true,
    trustedProxies: ["loopback"],
    warning: null,
  });
});

test("while Trust Proxy is off, no proxy is believed", async () => {
  settings.setCore({ ...unlimitedCore, security: { ...unlimitedCore.security, trustProxy: false } });
  const { visitor } = await statusFrom("127.0.0.1", "2001:db8:0::7");
  settings.setCore(unlimitedCore);
  expect(visitor).toMatchObject({ ip: "127.0.0.1", isBehindTrustedProxy: false, trustedProxies: [] });
});

test("admins behind a proxy that is not believed are warned once several came through it, others are not", async () => {
  const proxy = "192.0.2.10";
  for (const client of ["198.51.100.1", "198.51.100.2"])
    expect((await statusFrom(proxy, client)).visitor.warning).toBeNull();
  const { ip, warning } = (await statusFrom(proxy, "198.51.100.3")).visitor;
  expect(ip).toBe(proxy);
  expect(warning).toStartWith("All visitors appear to have the same address: check your proxy.");
  expect((await statusFrom("203.0.113.7")).visitor.warning).toBeNull();
  // Who shares an address with whoever made values up, and came with none, comes through no proxy.
  expect((await statusFrom(proxy)).visitor.warning).toBeNull();
});

test("the operator's socket has no address, and is shown anyway", async () => {
  await statusFrom("203.0.113.7");
  const response = await operatorClient(host).call("GET", "/api/system/status");
  expect((await response.json()).data.visitor).toMatchObject({
    ip: "local",
    peer: "local",
    isBehindTrustedProxy: false,
    warning: null,
    newestVisitor: expect.any(String),
  });
});

test("the operator is warned of a proxy within that is not believed, and told whom the newest visitor counts as", async () => {
  const own = await createTestHost({ settings: createFixedSettings() });
  try {
    for (const client of ["198.51.100.1", "198.51.100.2", "198.51.100.3"])
      await own.request("/api/auth/providers", { headers: { "x-forwarded-for": client } }, "172.18.0.5");
    const { data } = await (await operatorClient(own).call("GET", "/api/system/status")).json();
    expect(data.visitor.warning).toContain("add 172.18.0.5 to TRUSTED_PROXIES");
    expect(data.visitor.newestVisitor).toBe("172.18.0.5");
  } finally {
    await own.close();
  }
});
