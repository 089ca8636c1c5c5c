import { expect, test } from "bun:test";
import type { FirewallStatus } from "#contract/settings.ts";
import { firewallState } from "./security-sections.tsx";

const on: FirewallStatus = {
  installed: true,
  enabled: true,
  masterSwitchEnabled: true,
  rateLimitingEnabled: true,
  developmentModeEnabled: false,
};

test("the firewall is in one of five states, and one that cannot be asked counts as disabled", () => {
  expect(firewallState({ ...on, installed: false })).toBe("absent");
  expect(firewallState({ ...on, enabled: false })).toBe("disabled");
  expect(firewallState({ ...on, masterSwitchEnabled: false })).toBe("masterOff");
  expect(firewallState({ ...on, rateLimitingEnabled: false })).toBe("limitingOff");
  expect(firewallState(on)).toBe("on");
  expect(firewallState(null)).toBe("disabled");
});
