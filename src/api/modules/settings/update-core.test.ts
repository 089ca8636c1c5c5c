import { beforeEach, describe, expect, test } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createFixedFirewall } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { settingsCalls } from "#api/testing/settings-calls.ts";
import { coreSettings } from "#contract/core-settings.ts";
import { fieldTexts } from "#contract/errors.ts";
import { type FirewallStatus, isManagedByFirewall, settingsTexts } from "#contract/settings.ts";

const firewall: FirewallStatus = { ...createFixedFirewall().status() };

const host = await hostForFile({
  hasher: createCheapHasher(),
  settings: "stored",
  firewall: createFixedFirewall(firewall),
});
const admin = await host.signedIn("admin");
const calls = settingsCalls(admin);
const recorded = createActivityReader(host.services);
beforeEach(async () => {
  Object.assign(firewall, createFixedFirewall().status());
  await calls.saveCore(coreSettings.defaults);
});

const inForce = () => host.services.settings.current.core;

describe("core settings", () => {
  test("have the defaults of the specification until someone changes them", async () => {
    expect(await calls.core()).toEqual({
      rateLimiting: {
        ...{
          windowMs: 900_000,
          maxRequests: 100,
          skipAdminRoutes: true,
          skipPluginRoutes: true,
          enabled: true,
        },
        message: "Too many requests from this IP, please try again later.",
      },
      security: { trustProxy: true, helmetEnabled: true, corsEnabled: true },
    });
  });

  test("are saved in parts; what is left out stays, and all of it acts before the answer comes", async () => {
    const first = await calls.saveCore({ rateLimiting: { maxRequests: 500, message: "  Later, please " } });
    const { rateLimiting, security } = coreSettings.defaults;
    const changed = {
      rateLimiting: { ...rateLimiting, maxRequests: 500, message: "Later, please" },
      security,
    };
    expect(first).toEqual({
      status: 200,
      answer: { success: true, message: settingsTexts.coreSaved, data: changed },
    });
    await calls.saveCore({ security: { corsEnabled: false } });
    const both = { ...changed, security: { ...security, corsEnabled: false } };
    expect(await calls.core()).toEqual(both);
    expect(inForce()).toEqual(both);
    expect((await calls.saveCore({})).answer.data).toEqual(both);
  });

  test.each([
    ...[60_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000].map((windowMs) => ({ windowMs })),
    ...[{ maxRequests: 10 }, { maxRequests: 10_000 }, { enabled: false }, { skipAdminRoutes: false }],
    ...[{ message: "x" }, { message: "ü".repeat(200) }],
  ])("take %j", async (part) => {
    expect((await calls.saveCore({ rateLimiting: part })).status).toBe(200);
    expect(inForce().rateLimiting).toMatchObject(part);
  });

  test("are recorded in log and history with their former values, unless nothing changed", async () => {
    await recorded();
    await calls.saveCore({ rateLimiting: { maxRequests: 250 }, security: { trustProxy: false } });
    await calls.saveCore({ rateLimiting: { maxRequests: 250 } });
    const rows = await recorded();
    expect(rows).toHaveLength(1);
    expect(rows).toMatchObject([
      {
        ...{ type: "configuration_changed", action: "Changed core settings", severity: "medium" },
        changes: JSON.stringify({
          before: { "rateLimiting.maxRequests": 100, "security.trustProxy": true },
          after: { "rateLimiting.maxRequests": 250, "security.trustProxy": false },
        }),
      },
    ]);
    expect((await calls.history("?limit=1"))[0]).toMatchObject({
      section: "core",
      fields: [
        { path: "rateLimiting.maxRequests", isSecret: false, before: 100, after: 250 },
        { path: "security.trustProxy", isSecret: false, before: true, after: false },
      ],
    });
  });
});

test("concurrent changes are made in turn: none undoes another, and each starts from the result of the last", async () => {
  const parts = Array.from({ length: 16 }, (_, at) =>
    at % 2 === 0 ? { maxRequests: 1_000 + at } : { message: `Message ${at}` },
  );
  const answers = await Promise.all(parts.map((rateLimiting) => calls.saveCore({ rateLimiting })));
  expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
  const steps = (await calls.history(`?limit=${parts.length}`)).reverse().map((change) => {
    const [field] = Object(change).fields;
    return field;
  });
  for (const path of ["rateLimiting.maxRequests", "rateLimiting.message"]) {
    const own = steps.filter((step) => step.path === path);
    expect(own).toHaveLength(parts.length / 2);
    expect(own.slice(1).map(({ before }) => before)).toEqual(own.slice(0, -1).map(({ after }) => after));
    expect(Reflect.get(inForce().rateLimiting, path.split(".")[1] ?? "")).toBe(own.at(-1)?.after);
  }
});

const maxRequestsInvalid = "Max Requests must be a whole number from 10 to 10000";
const windowInvalid = "Please choose a window of 1, 5, 10, 15 or 30 minutes, or 1 hour";
const messageInvalid = "Please enter a message of 1 to 200 visible characters";
const switchInvalid = "Please choose yes or no";
const unusable: [path: string, values: unknown[], message: string][] = [
  // What is no number in JSON arrives as null.
  [
    "rateLimiting.maxRequests",
    [9, 10_001, 10.5, 0, -100, "100", "", null, true, [100], {}, Number.NaN, Number.POSITIVE_INFINITY, 1e300],
    maxRequestsInvalid,
  ],
  [
    "rateLimiting.windowMs",
    [0, 59_999, 60_001, 120_000, 86_400_000, 900_000.5, "900000", null, true, [], {}, Number.NaN],
    windowInvalid,
  ],
  [
    "rateLimiting.message",
    ["", "   ", "x".repeat(201), "two\nlines", "\u200b", "a\u202eb", 1, null, true, [], {}],
    messageInvalid,
  ],
  ...["rateLimiting.enabled", "rateLimiting.skipAdminRoutes", "rateLimiting.skipPluginRoutes"].map(
    (path): [string, unknown[], string] => [path, ["true", "", 0, 1, null, [], {}], switchInvalid],
  ),
  ...["security.trustProxy", "security.helmetEnabled", "security.corsEnabled"].map(
    (path): [string, unknown[], string] => [path, ["false", "on", 0, 1, null, [], {}], switchInvalid],
  ),
];

describe("R9: an unusable value is refused at its path, and the old one holds:", () => {
  test.each(unusable)("of %s", async (path, values, message) => {
    await calls.saveCore({ rateLimiting: { maxRequests: 321, windowMs: 60_000, message: "Old" } });
    const before = await calls.core();
    const [section = "", name = ""] = path.split(".");
    for (const value of values) {
      const { status, answer } = await calls.saveCore({ [section]: { [name]: value } });
      expect([value, status, answer.errors]).toEqual([value, 422, [{ path, message }]]);
    }
    expect(await calls.core()).toEqual(before);
    expect(inForce()).toEqual(Object(before));
  });

  test("and a number that JSON does not know is no JSON", async () => {
    const json = '{"rateLimiting":{"maxRequests":NaN}}';
    const headers = {
      cookie: String(admin.cookie),
      origin: "http://localhost:3000",
      "content-type": "application/json",
    };
    const answer = await host.request("/api/auth/settings/core", { method: "PUT", body: json, headers });
    expect(answer.status).toBe(400);
  });

  test("one unusable value keeps the usable ones beside it out, too", async () => {
    await calls.saveCore({
      rateLimiting: { maxRequests: 700, windowMs: 1 },
      security: { corsEnabled: false },
    });
    expect(await calls.core()).toEqual(coreSettings.defaults);
  });

  test.each([
    [{ mail: {} }, "mail"],
    [{ rateLimiting: { burst: 1 } }, "rateLimiting.burst"],
    [{ security: { hstsEnabled: true } }, "security.hstsEnabled"],
  ])("and so is %j, which is unknown", async (body, path) => {
    const { status, answer } = await calls.saveCore(body);
    expect([status, answer.errors]).toEqual([422, [{ path, message: fieldTexts.unknown }]]);
  });
});

/** The five states in which the settings page can find the firewall. */
const firewallStates: Partial<FirewallStatus>[] = [
  { installed: false },
  { installed: true, enabled: false, masterSwitchEnabled: true, rateLimitingEnabled: true },
  { installed: true, enabled: true, masterSwitchEnabled: false, rateLimitingEnabled: true },
  { installed: true, enabled: true, masterSwitchEnabled: true, rateLimitingEnabled: false },
  { installed: true, enabled: true, masterSwitchEnabled: true, rateLimitingEnabled: true },
];

describe.each(firewallStates)("F5: while the firewall is %j", (status) => {
  test("core settings are saved or refused as it manages them, and external services always saved", async () => {
    Object.assign(firewall, status);
    const isManaged = isManagedByFirewall(firewall);
    const body = { rateLimiting: { maxRequests: 777 } };
    // The same refusal within a minute would be one with the last.
    host.clock.advance(61_000);
    await recorded();
    const { status: answered, answer } = await calls.saveCore(body);
    if (isManaged) {
      expect([answered, answer.code, answer.message]).toEqual([
        409,
        "MANAGED_BY_FIREWALL",
        "Core settings are managed by firewall",
      ]);
      expect(await recorded()).toMatchObject([{ type: "configuration_changed", status: "failure" }]);
    } else expect(answered).toBe(200);
    expect(await calls.core()).toMatchObject({ rateLimiting: { maxRequests: isManaged ? 100 : 777 } });
    expect((await calls.save({ redis: { endpoint: "redis://redis.example" } })).status).toBe(200);
    await calls.save({ redis: { endpoint: "" } });
  });
});

test("F5: a change cannot be taken back either while the firewall manages the core settings", async () => {
  await calls.saveCore({ rateLimiting: { maxRequests: 800 } });
  const [change] = await calls.history("?limit=1");
  const id: unknown = Reflect.get(Object(change), "id");
  Object.assign(firewall, { installed: true, enabled: true, masterSwitchEnabled: true });
  const { status, answer } = await calls.tell("POST", `/history/${id}/revert`);
  expect([status, answer.code]).toEqual([409, "MANAGED_BY_FIREWALL"]);
  expect(await calls.core()).toMatchObject({ rateLimiting: { maxRequests: 800 } });
});
