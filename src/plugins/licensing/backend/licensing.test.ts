import { beforeEach, describe, expect, test } from "bun:test";
import type {
  ActivityInput,
  Ctx,
  Handler,
  Json,
  Kv,
  Principal,
  Reply,
  RouteOptions,
} from "#plugins/sdk/types.ts";
import { makeIssuer, type TestIssuer } from "../testing/make-issuer.ts";
import { addRoutes } from "./add-routes.ts";
import { createLicenseService } from "./license-service.ts";

const ada: Principal = { id: "1", name: "Ada", role: "admin" };

type Answer = { status: number; headers: Record<string, string>; json: Json };

/** The plugin's routes on an in-memory host whose clock and settings the test controls. */
const start = (issuerKeys: readonly string[]) => {
  const values = new Map<string, Json>();
  const activities: ActivityInput[] = [];
  const routes = new Map<string, { options: RouteOptions; handler: Handler }>();
  const listeners: (() => void)[] = [];
  const world = { nowMs: Date.parse("2026-11-21T12:00:00.000Z"), issuerKey: "", reads: 0, isDown: false };
  const kv: Pick<Kv, "get" | "set" | "delete"> = {
    get: async (key) => {
      world.reads += 1;
      if (world.isDown) throw new Error("the database is unavailable");
      return values.get(key);
    },
    set: async (key, value) => {
      values.set(key, value);
      return { version: 1 };
    },
    delete: async (key) => values.delete(key),
  };
  const add =
    (method: string) =>
    (path: string, options: RouteOptions, handler: Handler): void =>
      void routes.set(`${method} ${path}`, { options, handler });
  const ctx = asCtx({
    kv,
    settings: { get: () => world.issuerKey, onChange: (listener: () => void) => listeners.push(listener) },
    activity: { log: async (entry: ActivityInput) => void activities.push(entry) },
    routes: { get: add("GET"), put: add("PUT"), delete: add("DELETE") },
    respond: (response: Reply["$response"]): Reply => ({ $response: response }),
  });
  addRoutes(ctx, createLicenseService({ ctx, issuerKeys, now: () => world.nowMs }));
  const call = async (route: string, body: Json = null, user: Principal | null = ada): Promise<Answer> => {
    const outcome = await routes.get(route)?.handler(asRequest({ id: "req-1", body, user }));
    const { status = 200, headers = {}, json = null } = replyOf(outcome);
    return { status, headers, json };
  };
  const setIssuer = (key: string) => {
    world.issuerKey = key;
    for (const listener of listeners) listener();
  };
  return { world, values, activities, routes, call, setIssuer };
};

/** The part of `ctx` that the plugin uses. */
const asCtx = (part: object): Ctx => part as Ctx;
/** The part of a request that the plugin looks at. */
const asRequest = (part: object): Parameters<Handler>[0] => part as Parameters<Handler>[0];
const replyOf = (outcome: Awaited<ReturnType<Handler>>): Reply["$response"] => {
  const own: unknown = Reflect.get(Object(outcome), "$response");
  return own === undefined ? { json: outcome ?? null } : (own as Reply["$response"]);
};

let issuer: TestIssuer;
let host: ReturnType<typeof start>;
beforeEach(async () => {
  issuer = await makeIssuer();
  host = start([issuer.publicKey]);
});

const community = { plan: "Community", owner: null, state: "community" };
const business = { plan: "Business", owner: "Northwind Ltd", state: "active" };

describe("the public status", () => {
  test("is plan, owner and state, and nothing else", async () => {
    expect((await host.call("GET /status", null, null)).json).toEqual({ success: true, data: community });
    await host.call("PUT /licence", { key: await issuer.issue() });
    expect((await host.call("GET /status", null, null)).json).toEqual({ success: true, data: business });
  });

  test("is the only public route: all others are for admins", () => {
    const access = [...host.routes].map(([route, { options }]) => [route, options.access ?? "admin"]);
    expect(Object.fromEntries(access)).toEqual({
      "GET /status": "public",
      "GET /licence": "admin",
      "PUT /licence": "admin",
      "DELETE /licence": "admin",
    });
  });

  test("is read from the database every ten seconds at most", async () => {
    for (let visitors = 0; visitors < 100; visitors += 1) await host.call("GET /status", null, null);
    expect(host.world.reads).toBe(1);
    host.world.nowMs += 10_000;
    await host.call("GET /status", null, null);
    expect(host.world.reads).toBe(2);
  });

  test("is read again after the database was unavailable, and when the clock was turned back", async () => {
    host.world.isDown = true;
    expect(host.call("GET /status", null, null)).rejects.toThrow("unavailable");
    host.world.isDown = false;
    expect((await host.call("GET /status", null, null)).json).toMatchObject({ data: community });
    host.world.nowMs -= 60_000;
    await host.call("GET /status", null, null);
    expect(host.world.reads).toBe(3);
  });
});

describe("a license key", () => {
  test("is stored once verified, recorded with who entered it, and never returned", async () => {
    const key = await issuer.issue();
    const { status, json } = await host.call("PUT /licence", { key });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      message: "Licensed to Northwind Ltd (Business)",
      data: { ...business, daysLeft: 375, enteredAt: "2026-11-21T12:00:00.000Z" },
    });
    expect(host.activities).toEqual([
      {
        type: "configuration_changed",
        action: "Entered a license",
        description: "lic-1: Northwind Ltd (Business), through November 30, 2027, by Ada",
      },
    ]);
    const told = JSON.stringify([json, (await host.call("GET /licence")).json, host.activities]);
    expect(told).not.toContain(key.split(".")[2] ?? "");
  });

  test("that is altered, foreign, expired or from the future is refused with the reason, and the previous key stays", async () => {
    await host.call("PUT /licence", { key: await issuer.issue() });
    const [before, rows] = [host.values.get("licence"), host.activities.length];
    const stranger = await makeIssuer();
    const keys: [string, string][] = [
      [(await issuer.issue({ plan: "Other" })).replace("atrium1.ey", "atrium1.fy"), "signature"],
      [await stranger.issue({ plan: "Other" }), "signature"],
      [
        await issuer.issue({ issuedAt: "2020-01-01T00:00:00.000Z", expiresAt: "2021-01-01T00:00:00.000Z" }),
        "expired on",
      ],
      [await issuer.issue({ issuedAt: "2027-02-01T00:00:00.000Z" }), "starts on"],
      ["nonsense", "Not a license key"],
    ];
    for (const [key, words] of keys) {
      const { status, json } = await host.call("PUT /licence", { key });
      expect(status).toBe(422);
      expect(json).toMatchObject({ success: false, code: "VALIDATION_FAILED", errors: [{ path: "key" }] });
      expect(JSON.stringify(json)).toMatch(new RegExp(words));
      expect(host.values.get("licence")).toEqual(before);
    }
    expect(host.activities).toHaveLength(rows);
    expect((await host.call("GET /licence")).json).toMatchObject({ data: business });
  });

  test("replaces the previous one", async () => {
    await host.call("PUT /licence", { key: await issuer.issue() });
    await host.call("PUT /licence", {
      key: await issuer.issue({ id: "lic-2", owner: "Contoso", expiresAt: null }),
    });
    expect((await host.call("GET /licence")).json).toMatchObject({
      data: {
        owner: "Contoso",
        licence: { id: "lic-2", expiresAt: null, graceEndsAt: null },
        daysLeft: null,
      },
    });
  });

  test("passes through its grace period and expires by the clock, back to the Community license with an explanation", async () => {
    await host.call("PUT /licence", { key: await issuer.issue() });
    host.world.nowMs = Date.parse("2027-12-05T00:00:00.000Z");
    expect((await host.call("GET /status")).json).toMatchObject({ data: { ...business, state: "grace" } });
    host.world.nowMs = Date.parse("2027-12-20T00:00:00.000Z");
    expect((await host.call("GET /status")).json).toMatchObject({ data: { ...community, state: "expired" } });
    expect((await host.call("GET /licence")).json).toMatchObject({
      data: { note: expect.stringContaining("Enter a new license key"), licence: { owner: "Northwind Ltd" } },
    });
  });

  test("is removed, recorded with its details, and can be entered again", async () => {
    const key = await issuer.issue();
    await host.call("PUT /licence", { key });
    const { json } = await host.call("DELETE /licence", null, null);
    expect(json).toMatchObject({ success: true, data: { ...community, licence: null } });
    expect(host.activities.at(-1)).toMatchObject({
      action: "Removed the license",
      description: "lic-1: Northwind Ltd (Business), through November 30, 2027, by the operator",
    });
    expect((await host.call("GET /status")).json).toMatchObject({ data: community });
    await host.call("PUT /licence", { key });
    expect((await host.call("GET /status")).json).toMatchObject({ data: business });
  });

  test("that does not exist cannot be removed, and nothing is recorded", async () => {
    expect(await host.call("DELETE /licence")).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
    expect(host.activities).toEqual([]);
  });

  test("that was written to the database directly is not valid", async () => {
    const stranger = await makeIssuer();
    host.values.set("licence", { key: await stranger.issue(), enteredAt: "2026-11-21T12:00:00.000Z" });
    expect((await host.call("GET /licence")).json).toMatchObject({
      data: { ...community, state: "invalid" },
    });
    for (const value of [null, 5, "x", [], {}, { key: 5 }]) {
      host.values.set("licence", value);
      expect((await host.call("GET /licence")).json).toMatchObject({ data: community });
    }
  });
});

describe("the key of another issuer in the settings", () => {
  test("makes its licenses valid while it is set", async () => {
    const own = await makeIssuer();
    const key = await own.issue({ owner: "Ourselves" });
    expect((await host.call("PUT /licence", { key })).status).toBe(422);
    host.setIssuer(own.publicKey);
    expect((await host.call("PUT /licence", { key })).status).toBe(200);
    expect((await host.call("GET /status")).json).toMatchObject({ data: { owner: "Ourselves" } });
    host.setIssuer("");
    expect((await host.call("GET /status")).json).toMatchObject({ data: { ...community, state: "invalid" } });
    expect((await host.call("GET /licence")).json).toMatchObject({
      data: { note: expect.stringContaining("is not valid"), enteredAt: expect.any(String) },
    });
  });

  test("is ignored when it is weak or malformed, with a message; built-in keys stay in use", async () => {
    const weak = Buffer.alloc(32).toString("base64");
    for (const [key, words] of [
      [weak, "is weak"],
      ["AAAA", "is not valid"],
    ] as const) {
      host.setIssuer(key);
      expect((await host.call("GET /licence")).json).toMatchObject({
        data: { issuerKeyProblem: expect.stringContaining(words) },
      });
      expect((await host.call("PUT /licence", { key: await issuer.issue() })).status).toBe(200);
    }
  });
});
