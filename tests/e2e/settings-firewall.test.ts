import { describe, expect, test } from "bun:test";
import { settingsTexts } from "#contract/settings.ts";
import { comesTo } from "./live.ts";
import {
  button,
  field,
  managing,
  notice,
  section,
  settingsStageForFile,
  systemStatus,
  tellStatus,
} from "./settings-stage.ts";

const settings = await settingsStageForFile();

const states: [name: string, firewall: object, badge: string, isManaged: boolean][] = [
  ["not installed", {}, "Not installed", false],
  ["installed but disabled", { ...managing, enabled: false }, "Disabled", false],
  [
    "enabled with its master switch off",
    { ...managing, masterSwitchEnabled: false },
    "Master switch off",
    false,
  ],
  [
    "enabled with its rate limiting off",
    { ...managing, rateLimitingEnabled: false },
    "Rate limiting off",
    true,
  ],
  ["on", managing, "On", true],
];

describe("core settings", () => {
  test.each(states)("with the firewall %s", async (_, firewall, badge, isManaged) => {
    await settings.put("core", { security: { trustProxy: false, corsEnabled: false } });
    const { page } = await settings.openSettings({
      prepare: (page) => tellStatus(page, { firewall }),
    });
    await section(page, "Firewall").getByText(badge, { exact: true }).waitFor();
    for (const label of ["Window", "Max Requests", "Message"])
      await comesTo(async () => [label, await field(page, label).isDisabled()], [label, isManaged]);
    for (const label of ["Skip Admin Routes", "Skip Plugin Routes", "Trust Proxy", "Helmet", "CORS"])
      await comesTo(
        async () => [label, await page.getByRole("switch", { name: label }).isDisabled()],
        [label, isManaged],
      );
    for (const label of ["Trust Proxy", "CORS"])
      await comesTo(
        async () => [label, await page.getByRole("switch", { name: label }).isChecked()],
        [label, isManaged],
      );
    await comesTo(
      () => page.getByText(settingsTexts.managedByFirewall, { exact: true }).count(),
      isManaged ? 2 : 0,
    );
  });

  test("are not saved while the firewall manages them, and the notice says so", async () => {
    const { page } = await settings.openSettings({
      prepare: (page) => tellStatus(page, { firewall: managing }),
    });
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "PUT" && sent.push(new URL(request.url()).pathname));
    await section(page, "Firewall").getByText("On", { exact: true }).waitFor();
    await field(page, "Bucket Name").fill("other-packages");
    await button(page, "Save").click();
    await notice(page, settingsTexts.servicesSavedOnly);
    await page.getByText("No unsaved changes").waitFor();
    await page.keyboard.press("ControlOrMeta+s");
    await notice(page, "Nothing to save");
    expect(sent).toEqual(["/api/auth/settings/credentials"]);
  });

  test("keep what was typed in them while the firewall takes over and gives back", async () => {
    let firewall: object = {};
    const { page } = await settings.openSettings({
      prepare: (page) =>
        page.route("**/api/system/status", (route) => route.fulfill({ json: systemStatus({ firewall }) })),
    });
    await field(page, "Max Requests").fill("5");
    await button(page, "Fix Errors to Save").waitFor();
    firewall = managing;
    await button(page, "Refresh Firewall Status").click();
    await notice(page, settingsTexts.firewallRefreshed);
    await button(page, "Save").waitFor();
    await page.getByText("No unsaved changes").waitFor();
    firewall = {};
    await button(page, "Refresh Firewall Status").click();
    await button(page, "Fix Errors to Save").waitFor();
    await comesTo(() => field(page, "Max Requests").inputValue(), "5");
  });

  test("count a firewall that cannot be asked as disabled", async () => {
    const { page } = await settings.openSettings({
      prepare: (page) => page.route("**/api/system/status", (route) => route.fulfill({ status: 503 })),
    });
    await section(page, "Firewall").getByText("Disabled", { exact: true }).waitFor();
    await comesTo(() => field(page, "Max Requests").isDisabled(), false);
    await button(page, "Refresh Firewall Status").click();
    await notice(page, settingsTexts.firewallSeemsOff);
    await page.unroute("**/api/system/status");
    await page.route("**/api/system/status", (route) => route.fulfill({ json: { success: true, data: {} } }));
    await button(page, "Refresh Firewall Status").click();
    await page.getByText(/^Error refreshing firewall status: /).waitFor();
  });
});

describe("the state of things", () => {
  test("tells what the switches do now, what they will do once saved, and whom CORS lets in", async () => {
    await settings.put("core", { security: { trustProxy: true, corsEnabled: true } });
    const { page } = await settings.openSettings({
      prepare: (page) => tellStatus(page, { cors: { origins: ["https://app.northwind.example"] } }),
    });
    const security = section(page, "Core Security Settings");
    await security
      .getByText("Only https://app.northwind.example can send requests with credentials")
      .waitFor();
    await security.getByText("After saving:").waitFor({ state: "detached" });
    await page.getByRole("switch", { name: "Trust Proxy" }).click();
    await security.getByText("Client IP addresses are taken from trusted proxies.").waitFor();
    await security.getByText("After saving: Forwarded IP addresses are ignored").waitFor();
    await page.getByRole("switch", { name: "Trust Proxy" }).click();
    await security.getByText("After saving:").waitFor({ state: "detached" });
  });

  test("says that CORS allows no origin while none is listed", async () => {
    await settings.put("core", { security: { corsEnabled: true } });
    const { page } = await settings.openSettings();
    const security = section(page, "Core Security Settings");
    await security.getByText("No other origins are listed (CORS_ORIGINS).").waitFor();
  });

  test("shows why a service is away, what the proxy makes of the reader, and where requests are counted", async () => {
    const since = "2026-10-28T09:00:00.000Z";
    const redis = {
      state: "away",
      server: "redis.example:6379",
      source: "settings",
      since,
      reason: "Wrong password.",
    };
    const { page } = await settings.openSettings({
      prepare: (page) =>
        tellStatus(page, {
          redis,
          limiter: { isEnabled: true, store: "redis" },
          visitor: {
            ip: "203.0.113.7",
            peer: "10.0.0.2",
            isBehindTrustedProxy: true,
            trustedProxies: ["10.0.0.0/8"],
            warning: "All visitors appear to have the same address: check your proxy.",
          },
        }),
    });
    await section(page, "Redis Configuration").getByText("Wrong password.").waitFor();
    await section(page, "Redis Configuration").getByText("Away", { exact: true }).waitFor();
    await section(page, "Core Rate Limiting")
      .getByText(/counted in Redis/)
      .waitFor();
    await section(page, "Core Security Settings")
      .getByText(/We see you as 203\.0\.113\.7/)
      .waitFor();
    await section(page, "Core Security Settings")
      .getByText(/All visitors appear to have the same address/)
      .waitFor();
  });

  test("is requested again whenever the page becomes visible", async () => {
    let redis: object = {};
    const { page } = await settings.openSettings({
      prepare: (page) =>
        page.route("**/api/system/status", (route) => {
          const { data } = systemStatus({});
          return route.fulfill({
            json: { success: true, data: { ...data, redis: { ...data.redis, ...redis } } },
          });
        }),
    });
    await section(page, "Redis Configuration").getByText("Not configured", { exact: true }).waitFor();
    redis = { state: "away", server: "redis.example:6379", source: "settings", reason: "Gone." };
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    // Sooner than it would be asked for anyway.
    await section(page, "Redis Configuration").getByText("Gone.").waitFor({ timeout: 5_000 });
  });

  test("follows objects that are moved, until they are all there", async () => {
    let moved = 1;
    const { page } = await settings.openSettings({
      prepare: (page) =>
        page.route("**/api/system/status", (route) => {
          moved += 1;
          const { data } = systemStatus({});
          const migration = moved < 4 ? { moved, total: 4, bytes: 40_000_000, failed: 0 } : null;
          const storage = {
            ...data.storage,
            state: "up",
            home: "r2",
            inDatabase: 4 - moved,
            inR2: moved,
            migration,
          };
          return route.fulfill({ json: { success: true, data: { ...data, storage } } });
        }),
    });
    await section(page, "Object Storage (R2)").getByText("2 of 4 moved, 40 MB").waitFor();
    await section(page, "Object Storage (R2)").getByRole("progressbar").waitFor();
    await section(page, "Object Storage (R2)")
      .getByText("0 objects in the database, 4 objects in object storage")
      .waitFor();
    await section(page, "Object Storage (R2)").getByRole("progressbar").waitFor({ state: "detached" });
  });
});
