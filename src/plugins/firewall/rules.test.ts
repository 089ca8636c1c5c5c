import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { limitHeadersOf } from "#api/testing/limit-headers.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { type LiveFirewall, startLiveFirewall } from "#api/testing/live-firewall.ts";
import { stayProven } from "#api/testing/stay-proven.ts";
import { until } from "#api/testing/until.ts";

const countries: Record<string, string> = { "198.51.100.20": "FR", "127.0.0.1": "DE" };
const settings = createFixedSettings();
let live: LiveFirewall;
beforeAll(async () => {
  live = await startLiveFirewall({ settings }, { countryOf: (ip) => countries[ip] ?? null });
  await stayProven(live.host, live.admin);
});
afterAll(() => live.host.close());
beforeEach(async () => {
  settings.setCore(limitedCore({ enabled: false }));
  live.host.clock.advance(3_600_000);
  const { entries } = await read("/addresses");
  const ids = entries.map(({ id }: { id: string }) => id);
  if (ids.length > 0) await save("POST", "/addresses/delete", { ids });
  await save("PUT", "/countries", { mode: "off" });
  await live.config({ masterSwitchEnabled: true, rateLimitingEnabled: false, developmentModeEnabled: false });
  await confirm();
});

const call = (method: string, path: string, body?: object) =>
  live.admin.call(method, `/api/firewall${path}`, body);
const read = async (path: string) => Object(await (await call("GET", path)).json()).data;
const save = async (method: string, path: string, body: object) => {
  const answer = await call(method, path, body);
  expect([path, answer.status, await answer.clone().text()]).toMatchObject([path, 200, expect.anything()]);
};
const confirm = async () => {
  const { pending } = await read("/config");
  if (pending !== null) await save("POST", "/confirm", { revision: pending.revision });
};
const from = async (ip: string, path = "/api/auth/providers", headers: Record<string, string> = {}) =>
  (await live.host.request(path, { headers }, ip)).status;

describe("F4: on a running server", () => {
  test("denied addresses and ranges of both kinds are kept out of pages and calls, and everybody else is not", async () => {
    for (const address of ["198.51.100.0/28", "2001:db8::/32"])
      await save("POST", "/addresses", { kind: "deny", address });
    for (const ip of ["198.51.100.1", "198.51.100.15", "2001:db8::1", "2001:db8:ffff::1"])
      for (const path of ["/", "/api/auth/providers", "/api/nothing"])
        expect([ip, path, await from(ip, path)]).toEqual([ip, path, 403]);
    for (const ip of ["198.51.100.16", "2001:db9::1", "127.0.0.1"])
      expect([ip, await from(ip)]).toEqual([ip, 200]);
    await confirm();
  });

  test("denied countries are kept out, and an allowed address of theirs is not", async () => {
    await save("PUT", "/countries", { mode: "deny", codes: ["FR"] });
    expect(await from("198.51.100.20")).toBe(403);
    await save("POST", "/addresses", { kind: "allow", address: "198.51.100.20" });
    expect(await from("198.51.100.20")).toBe(200);
    await confirm();
  });

  test("the acting admin's own address and country are refused with the reason, and nothing is changed", async () => {
    for (const [method, path, body] of [
      ["POST", "/addresses", { kind: "deny", address: "127.0.0.0/8" }],
      ["PUT", "/countries", { mode: "deny", codes: ["DE"] }],
      ["PUT", "/countries", { mode: "allow", codes: ["FR"] }],
    ] as const) {
      const answer = await call(method, path, body);
      expect([answer.status, Object(await answer.json()).code]).toEqual([409, "OWN_ADDRESS"]);
    }
    expect(await from("127.0.0.1")).toBe(200);
    expect((await read("/countries")).mode).toBe("off");
  });

  test("what is denied waits to be confirmed", async () => {
    await save("POST", "/addresses", { kind: "deny", address: "198.51.100.1" });
    const { pending, revision } = await read("/config");
    expect(pending).toMatchObject({ revision, isOwn: true });
    expect(pending.leftMs).toBeLessThanOrEqual(90_000);
    await save("POST", "/revert", { revision });
    expect(await from("198.51.100.1")).toBe(200);
  });
});

test("R1: headers that anybody can send change neither who is kept out nor what is written down", async () => {
  await save("POST", "/addresses", { kind: "deny", address: "198.51.100.1" });
  const spoofed = {
    "x-forwarded-for": "192.0.2.1",
    "x-real-ip": "192.0.2.1",
    "cf-connecting-ip": "192.0.2.1",
    forwarded: "for=192.0.2.1",
  };
  const answer = await live.host.request("/api/auth/providers", { headers: spoofed }, "198.51.100.1");
  expect(answer.status).toBe(403);
  const told = await read(`/explain/${answer.headers.get("x-atrium-block")}`);
  expect(told.entry.address).toBe("198.51.100.1");
  await confirm();
});

describe("F5: with the firewall", () => {
  const status = async () => Object(await (await live.admin.call("GET", "/api/system/status")).json()).data;
  const burst = async () => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => live.host.request("/api/auth/providers", {}, "198.51.100.30")),
    );
    return {
      refused: answers.filter((answer) => answer.status === 429).length,
      told: answers.filter((answer) => limitHeadersOf(answer).limit !== null).length,
    };
  };

  test("counting, one limiter counts and not two, by the core's own figures", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    await live.config({ rateLimitingEnabled: true });
    expect(await burst()).toEqual({ refused: 5, told: 15 });
    expect((await status()).limiter.isEnabled).toBe(false);
    expect((await status()).firewall).toMatchObject({ masterSwitchEnabled: true, rateLimitingEnabled: true });
  });

  test("on but not counting, the core counts", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    expect(await burst()).toEqual({ refused: 5, told: 15 });
    expect((await status()).limiter.isEnabled).toBe(true);
  });

  test("off, the core counts, and its settings are its own", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    await live.config({ masterSwitchEnabled: false, rateLimitingEnabled: true });
    expect(await burst()).toEqual({ refused: 5, told: 15 });
    expect((await status()).firewall).toMatchObject({ enabled: true, masterSwitchEnabled: false });
  });

  test("managing, the core's settings are refused, and stay", async () => {
    const body = { rateLimiting: { maxRequests: 500 } };
    const answer = await live.admin.call("PUT", "/api/auth/settings/core", body);
    expect([answer.status, Object(await answer.json())]).toMatchObject([
      409,
      { code: "MANAGED_BY_FIREWALL", message: "Core settings are managed by firewall" },
    ]);
  });
});

describe("R5: while the firewall counts", () => {
  const statuses = async (method: string, path: string) => {
    const answers: number[] = [];
    for (let made = 0; made < 12; made += 1)
      answers.push(
        (
          await live.host.request(
            path,
            {
              method,
              headers: { "content-type": "application/json" },
              ...(method === "POST" ? { body: "{}" } : {}),
            },
            "198.51.100.40",
          )
        ).status,
      );
    return answers.filter((one) => one === 429).length;
  };

  test.each([
    ["POST", "/api/auth/login"],
    ["POST", "/api/auth/register"],
    ["POST", "/api/auth/forgot-password"],
    ["POST", "/api/auth/resend-verification"],
    ["POST", "/api/contact"],
    ["GET", "/api/admin/users"],
    ["GET", "/api/firewall/config"],
    ["GET", "/api/admin/nothing"],
  ])("no switch leaves out %s %s for visitors", async (method, path) => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    await live.config({ rateLimitingEnabled: true });
    expect(await statuses(method, path)).toBe(2);
  });

  test("signed-in admins are left out where only admins may call", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    await live.config({ rateLimitingEnabled: true });
    for (let made = 0; made < 15; made += 1)
      expect((await live.admin.call("GET", "/api/admin")).status).toBe(200);
  });
});

test("wrong and unknown values are refused, and nothing is changed", async () => {
  for (const body of [
    { paranoiaLevel: 5 },
    { paranoiaLevel: "2" },
    { threshold: 0 },
    { masterSwitchEnabled: "yes" },
    { masterSwitch: true },
    { paranoiaLevel: 2, unknown: 1 },
  ]) {
    const answer = await call("PUT", "/config", body);
    expect([answer.status, Object(await answer.json()).code]).toEqual([422, "VALIDATION_FAILED"]);
  }
  expect(await read("/config")).toMatchObject({ paranoiaLevel: 1, threshold: 5, masterSwitchEnabled: true });
});

test("only admins see or change anything of it", async () => {
  const user = await live.host.signedIn("user");
  for (const [method, path] of [
    ["GET", "/config"],
    ["PUT", "/config"],
    ["GET", "/journal"],
    ["POST", "/addresses"],
    ["POST", "/off"],
  ] as const) {
    const body = method === "GET" ? undefined : {};
    expect((await live.host.visitor().call(method, `/api/firewall${path}`, body)).status).toBe(401);
    expect((await user.call(method, `/api/firewall${path}`, body)).status).toBe(403);
  }
  expect((await read("/config")).masterSwitchEnabled).toBe(true);
});

describe("F6: with a damaged row of rules in the database", () => {
  test("the rules in force stay, reads go on, writes of the firewall are closed until they are restored", async () => {
    await save("POST", "/addresses", { kind: "deny", address: "198.51.100.50" });
    await confirm();
    await live.host.db.execute(
      sql`update plugin_kv set value = '{"oops' where plugin = 'firewall' and key = 'rules'`,
    );
    const refused = await call("POST", "/addresses", { kind: "deny", address: "198.51.100.51" });
    expect([refused.status, Object(await refused.json()).code]).toEqual([503, "RULES_CLOSED"]);
    expect([await from("198.51.100.50"), await from("198.51.100.51")]).toEqual([403, 200]);
    expect((await read("/config")).trouble).toMatchObject({ kind: "unreadable", inForce: "last-good" });
    await until(async () => {
      const answer = await live.admin.call("GET", "/api/admin/activity?severity=critical");
      const { activities } = Object(await answer.json()).data;
      return activities.some(({ pluginName }: { pluginName: string }) => pluginName === "firewall");
    });
    await save("POST", "/rules/restore", {});
    await save("POST", "/addresses", { kind: "deny", address: "198.51.100.51" });
    await confirm();
    expect(await from("198.51.100.51")).toBe(403);
  });
});

test("disabled, there is nothing of it: no rule, no route, and the core is its own again", async () => {
  await save("POST", "/addresses", { kind: "deny", address: "198.51.100.60" });
  await confirm();
  expect(await from("198.51.100.60")).toBe(403);
  await live.admin.call("POST", "/api/plugins/firewall/toggle", { enabled: false });
  expect(await from("198.51.100.60")).toBe(200);
  expect((await call("GET", "/config")).status).toBe(404);
  await live.admin.call("POST", "/api/plugins/firewall/toggle", { enabled: true });
  expect(await from("198.51.100.60")).toBe(403);
  // Enabling waits to be confirmed, and until then nothing else can be changed.
  await confirm();
});
