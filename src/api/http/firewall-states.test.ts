import { beforeEach, describe, expect, test } from "bun:test";
import { createFixedFirewall, createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { limitHeadersOf } from "#api/testing/limit-headers.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import type { FirewallStatus } from "#contract/settings.ts";

const absent = createFixedFirewall().status();
const there = { ...absent, installed: true };
const managing = { ...there, enabled: true, masterSwitchEnabled: true };

type State = { title: string; status: FirewallStatus; isManaging: boolean; counts: boolean };
/** The five states of the settings screen, and one that must not be taken for the last of them. */
const states: State[] = [
  { title: "not installed", status: absent, isManaging: false, counts: true },
  { title: "installed but disabled", status: there, isManaging: false, counts: true },
  {
    title: "enabled with its master switch off, whatever its limit says",
    status: { ...there, enabled: true, rateLimitingEnabled: true },
    isManaging: false,
    counts: true,
  },
  { title: "enabled with its limit off", status: managing, isManaging: true, counts: true },
  {
    title: "enabled with its limit on",
    status: { ...managing, rateLimitingEnabled: true },
    isManaging: true,
    counts: false,
  },
  {
    title: "gone, with its switches still on",
    status: { ...absent, masterSwitchEnabled: true, rateLimitingEnabled: true },
    isManaging: false,
    counts: true,
  },
];

const status = { ...absent };
const settings = createFixedSettings();
const listed = "https://app.example";
const host = await hostForFile({ settings, firewall: createFixedFirewall(status), corsOrigins: [listed] });
const admin = await host.signedIn("admin");
beforeEach(() => host.clock.advance(3_600_000));

const ask = (headers: Record<string, string> = {}) => host.request("/api/auth/providers", { headers });

describe("F5: while the firewall is", () => {
  for (const { title, status: state, isManaging, counts } of states) {
    test(`${title}, ${counts ? "the core counts calls" : "the core's counter stands still"}`, async () => {
      Object.assign(status, state);
      settings.setCore(limitedCore({ maxRequests: 10 }));
      const answers: Response[] = [];
      for (let call = 0; call < 12; call += 1) answers.push(await ask());
      const refused = answers.filter((answer) => answer.status === 429);
      const told = answers.filter((answer) => limitHeadersOf(answer).limit !== null);
      expect([refused.length, told.length]).toEqual(counts ? [2, 12] : [0, 0]);
      const shown = (await (await admin.call("GET", "/api/system/status")).json()).data;
      expect([shown.limiter.isEnabled, shown.firewall]).toEqual([counts, state]);
    });

    test(`${title}, a limit that is switched off stays off`, async () => {
      Object.assign(status, state);
      settings.setCore(limitedCore({ enabled: false }));
      expect(limitHeadersOf(await ask()).limit).toBeNull();
    });

    const forced = isManaging ? "proxies are trusted and CORS is on" : "proxies and CORS are as they are set";
    test(`${title}, ${forced}`, async () => {
      Object.assign(status, state);
      settings.setCore(limitedCore({}, { trustProxy: false, corsEnabled: false }));
      const answer = await ask({ origin: listed, "x-forwarded-for": "198.51.100.1" });
      const { ip } = host.logs.findLast(({ message }) => message === "request")?.fields ?? {};
      expect(ip).toBe(isManaging ? "198.51.100.1" : "127.0.0.1");
      expect(answer.headers.get("access-control-allow-origin")).toBe(isManaging ? listed : null);
    });
  }

  test("managing, what hardens browsers is as it is set", async () => {
    Object.assign(status, managing);
    settings.setCore(limitedCore({}, { helmetEnabled: false }));
    expect((await ask()).headers.has("permissions-policy")).toBe(false);
    settings.setCore(limitedCore());
    expect((await ask()).headers.has("permissions-policy")).toBe(true);
  });
});
