import { afterAll, beforeAll, describe, expect } from "bun:test";
import { inOrder } from "#api/testing/in-order.ts";
import { type LiveFirewall, startLiveFirewall } from "#api/testing/live-firewall.ts";
import { until } from "#api/testing/until.ts";

const own = "203.0.113.5";
const elsewhere = "198.51.100.77";
let live: LiveFirewall;
beforeAll(async () => {
  live = await startLiveFirewall();
});
afterAll(() => live.host.close());

/** The admin's call from an address. */
const call = (ip: string, method: string, path: string, body?: object) =>
  live.host.request(
    path,
    {
      method,
      headers: {
        origin: "http://localhost:3000",
        "sec-fetch-site": "same-origin",
        cookie: live.admin.cookie ?? "",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    ip,
  );
const config = async () => Object(await (await call(elsewhere, "GET", "/api/firewall/config")).json()).data;
const save = async (path: string, body: object = {}, method = "POST") => {
  const answer = await call(elsewhere, method, path, body);
  expect([path, answer.status]).toEqual([path, 200]);
};
const confirm = async () => {
  const { pending } = await config();
  if (pending !== null) await save("/api/firewall/confirm", { revision: pending.revision });
};
const isIn = async () => (await call(own, "GET", "/api/auth/user")).status === 200;

// One firewall learns addresses and keeps its rules.
const step = inOrder();

describe("F4: an admin whose range another admin denied", () => {
  step("is not let through the settings form to lock themselves out for good", async () => {
    await save("/api/firewall/addresses", { kind: "deny", address: "203.0.113.0/24" });
    const values = { masterSwitchEnabled: true, revision: 5_000 };
    expect((await call(own, "PUT", "/api/plugins/firewall/settings", { values })).status).toBe(200);
    await until(async () => (await config()).pending !== null);
    const { pending } = await config();
    await save("/api/firewall/revert", { revision: pending.revision });
    expect([await isIn(), (await config()).masterSwitchEnabled]).toEqual([true, false]);
  });

  step("is not locked out at all through the form once the firewall knows their address", async () => {
    expect((await call(own, "GET", "/api/firewall/status")).status).toBe(200);
    const values = { masterSwitchEnabled: true, revision: 9_000 };
    await call(own, "PUT", "/api/plugins/firewall/settings", { values });
    await until(async () => {
      const shown = await call(elsewhere, "GET", "/api/plugins/firewall/settings");
      return Object(await shown.json()).data.values.masterSwitchEnabled === false;
    });
    expect([await isIn(), (await config()).pending]).toEqual([true, null]);
  });

  step("may enable the plugin, and it goes off again unless somebody confirms it", async () => {
    await save("/api/firewall/on");
    await confirm();
    expect(await isIn()).toBe(false);
    await save("/api/plugins/firewall/toggle", { enabled: false });
    expect((await call(own, "POST", "/api/plugins/firewall/toggle", { enabled: true })).status).toBe(200);
    const { pending } = await config();
    expect(pending.what).toContain("Enabled");
    await save("/api/firewall/revert", { revision: pending.revision });
    expect([await isIn(), (await config()).masterSwitchEnabled]).toEqual([true, false]);
  });
});

describe("F4: a rate rule for everything", () => {
  step("leaves an admin the page, its calls, and the way to sign in", async () => {
    await live.config({ masterSwitchEnabled: true });
    const rule = { path: "/*", roles: ["visitor", "user", "admin"], windowMs: 3_600_000, max: 8 };
    await save("/api/firewall/rates", rule);
    await confirm();
    for (let made = 0; made < 10; made += 1) await call("192.0.2.9", "GET", "/about");
    expect((await call("192.0.2.9", "GET", "/about")).status).toBe(429);
    for (const path of ["/admin/firewall", "/api/firewall/config", "/api/auth/user", "/login"])
      expect([path, (await call("192.0.2.9", "GET", path)).status]).not.toEqual([path, 429]);
  });
});
