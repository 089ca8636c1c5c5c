import { describe, expect, test } from "bun:test";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import { unlimitedCore } from "#api/testing/fixed-settings.ts";
import { accountSettings } from "#contract/core-settings.ts";
import type { FirewallStatus } from "#contract/settings.ts";
import { savedSettings } from "./draft.ts";
import { firewallState, securityHints } from "./security-sections.tsx";

const firewallOn: FirewallStatus = {
  installed: true,
  enabled: true,
  masterSwitchEnabled: true,
  rateLimitingEnabled: true,
  developmentModeEnabled: false,
};

test("the firewall is in one of five states, and one that cannot be asked counts as disabled", () => {
  expect(firewallState({ ...firewallOn, installed: false })).toBe("absent");
  expect(firewallState({ ...firewallOn, enabled: false })).toBe("disabled");
  expect(firewallState({ ...firewallOn, masterSwitchEnabled: false })).toBe("masterOff");
  expect(firewallState({ ...firewallOn, rateLimitingEnabled: false })).toBe("limitingOff");
  expect(firewallState(firewallOn)).toBe("on");
  expect(firewallState(null)).toBe("disabled");
});

const since = "2026-10-28T09:00:00.000Z";
const unused = { state: "unused", server: null, source: null, since, reason: null } as const;

const statusWith = (origins: string[]): SystemStatus => ({
  firewall: { ...firewallOn, installed: false, enabled: false },
  redis: unused,
  storage: { ...unused, home: "database", inDatabase: 0, inR2: 0, migration: null },
  limiter: { isEnabled: true, store: "memory" },
  cors: { origins },
  isSafeMode: false,
  visitor: {
    ip: "203.0.113.7",
    peer: "203.0.113.7",
    isBehindTrustedProxy: false,
    trustedProxies: [],
    warning: null,
  },
});

const credentials = {
  redis: { endpoint: "", hasPassword: false },
  cloudflareR2: {
    ...({ bucket: "", token: "", accessKeyId: "", secretAccessKey: "", endpointS3: "" } as const),
    ...{ hasToken: false, hasAccessKeyId: false, hasSecretAccessKey: false, otherEndpoints: [] },
  },
};
const switched = (isOn: boolean) =>
  savedSettings({
    credentials,
    core: {
      ...unlimitedCore,
      security: { trustProxy: isOn, helmetEnabled: isOn, corsEnabled: isOn },
    },
    accounts: accountSettings.defaults,
  }).draft;
const [on, off] = [switched(true), switched(false)];
const facts = { saved: on, draft: on, isManaged: false, status: statusWith([]) };

const corsNow = (origins: string[]) =>
  securityHints({ ...facts, status: statusWith(origins) })["security.corsEnabled"].now;

describe("the switches of the core", () => {
  test("tell what is saved, not what was chosen, which is told as what comes after saving", () => {
    expect(securityHints({ ...facts, draft: off })["security.trustProxy"]).toEqual({
      now: "Client IP addresses are taken from trusted proxies.",
      after:
        "After saving: Forwarded IP addresses are ignored. The connecting machine is treated as the client.",
    });
    expect(securityHints({ ...facts, saved: off })["security.helmetEnabled"]).toEqual({
      now: "Responses keep only the headers that prevent sniffing, framing and plugin frames leaving this site.",
      after:
        "After saving: Responses include headers that keep browsers from framing, sniffing and running third-party code.",
    });
    expect(securityHints(facts)["security.corsEnabled"].after).toBeNull();
  });

  test("tell what the firewall forces, whatever is saved or chosen", () => {
    const hints = securityHints({ ...facts, saved: off, draft: on, isManaged: true });
    expect(hints["security.trustProxy"]).toEqual({
      now: "Client IP addresses are taken from trusted proxies.",
      after: null,
    });
    expect(hints["security.helmetEnabled"]).toEqual({
      now: "Responses keep only the headers that prevent sniffing, framing and plugin frames leaving this site.",
      after: null,
    });
    expect(hints["security.corsEnabled"].now).toBe("No other origins are listed (CORS_ORIGINS).");
  });
});

describe("CORS that is on", () => {
  test("allows no origin while none is listed", () => {
    expect(corsNow([])).toBe("No other origins are listed (CORS_ORIGINS).");
  });

  test("names a few origins and counts many", () => {
    expect(corsNow(["https://app.example", "https://shop.example"])).toBe(
      "Only https://app.example and https://shop.example can send requests with credentials (CORS_ORIGINS).",
    );
    expect(corsNow(Array.from({ length: 4 }, (_, index) => `https://app${index}.example`))).toBe(
      "Only the 4 listed origins can send requests with credentials (CORS_ORIGINS).",
    );
  });

  test("promises nothing of the list while it is not known", () => {
    expect(securityHints({ ...facts, status: null })["security.corsEnabled"].now).toBe(
      "Only origins listed in CORS_ORIGINS can send requests with credentials.",
    );
  });
});
