import { beforeEach, describe, expect, test } from "bun:test";
import { desc, eq, gt } from "drizzle-orm";
import type { ActivityFact, ActivityRecorder } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Actor, PasswordHasher } from "#api/core/context.ts";
import { activities, activityKinds } from "#api/db/schema.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { createFixedSettings, unlimitedCore } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { testPassword } from "#api/testing/host.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { firstPartyPlugins } from "#plugins/first-party.ts";
import { recordCall } from "./answers.ts";

let isBusy = false;
const hasher: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  verify: async (password, hash) => {
    if (isBusy) throw new AppError("BUSY");
    return hash === `hash of ${password}`;
  },
  isOutdated: () => false,
  computed: 0,
};

const settings = createFixedSettings();
let seen = 0;
const host = await hostForFile({ hasher, settings });

/** The rows that came since the last time, oldest first. */
const newRows = async () => {
  await host.services.activity.settle();
  const rows = await host.db
    .select()
    .from(activities)
    .innerJoin(activityKinds, eq(activityKinds.id, activities.kindId))
    .where(gt(activities.id, seen))
    .orderBy(desc(activities.id));
  seen = rows[0]?.activities.id ?? seen;
  return rows.reverse().map(({ activities: { search, hash, ...row }, activity_kinds: kind }) => ({
    ...row,
    ...kind,
    id: row.id,
  }));
};

beforeEach(async () => {
  // Repeats of the test before are no repeats of this one's.
  host.clock.advance(61_000);
  await newRows();
  isBusy = false;
});

describe("L4: refused requests are logged with who, when, from where and how they ended:", () => {
  test("a user's request to an admin route", async () => {
    const user = await host.signedIn("user");
    await newRows();
    const response = await user.call("DELETE", "/api/admin/users/somebody?why=because", undefined, {
      "user-agent": "Prober/1.0",
    });
    expect(response.status).toBe(403);
    const rows = await newRows();
    expect(rows).toMatchObject([
      {
        type: "permission_violation",
        status: "failure",
        severity: "medium",
        actorKind: "user",
        pluginName: "core",
        userId: user.user?.id,
        userEmail: user.user?.email,
        ip: "127.0.0.1",
        userAgent: "Prober/1.0",
        requestId: response.headers.get("x-request-id"),
        action: "Called DELETE /api/admin/users/:user without permission",
        description: "DELETE /api/admin/users/:user was answered with 403 FORBIDDEN",
      },
    ]);
    expect(rows[0]?.occurredAt).toEqual(host.clock.now());
    expect(rows[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  test("a visitor's request to an admin route", async () => {
    expect((await host.visitor().call("GET", "/api/admin/users")).status).toBe(401);
    expect(await newRows()).toMatchObject([
      {
        type: "permission_violation",
        status: "failure",
        severity: "medium",
        actorKind: "visitor",
        userId: null,
        action: "Called GET /api/admin/users without signing in",
      },
    ]);
  });

  test("a request with an expired or made-up session, which is a security event as well", async () => {
    const admin = await host.signedIn("admin");
    await admin.call("POST", "/api/auth/logout", {});
    await newRows();
    expect((await admin.call("GET", "/api/admin/users")).status).toBe(401);
    const [name] = admin.cookie?.split("=") ?? [];
    const madeUp = { cookie: `${name}=${"x".repeat(43)}` };
    const guessed = await host.visitor().call("GET", "/api/admin/contact", undefined, madeUp);
    expect(guessed.status).toBe(401);
    const rows = await newRows();
    expect(rows).toMatchObject(
      ["users", "contact"].map((page) => ({
        type: "permission_violation",
        status: "failure",
        severity: "low",
        actorKind: "visitor",
        userId: null,
        action: `Called GET /api/admin/${page} with a session that is not valid`,
        description: `GET /api/admin/${page} was answered with 401 NOT_SIGNED_IN`,
      })),
    );
    expect(JSON.stringify(rows)).not.toContain("x".repeat(43));
  });

  test("a forged request, under the user of the browser", async () => {
    const user = await host.signedIn("user");
    await newRows();
    const forged = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await user.call("PUT", "/api/account/name", { name: "Eve" }, forged)).status).toBe(403);
    expect(await newRows()).toMatchObject([
      {
        type: "permission_violation",
        status: "failure",
        severity: "high",
        actorKind: "user",
        userId: user.user?.id,
        action: "Called PUT /api/account/name from another site",
        description: "PUT /api/account/name was answered with 403 CROSS_ORIGIN",
      },
    ]);
  });

  test("too many requests", async () => {
    const visitor = host.visitor();
    const limited = async () => {
      const body = {
        name: "Ada",
        email: "ada@example.test",
        subject: "General",
        message: crypto.randomUUID(),
      };
      return (await visitor.call("POST", "/api/contact", body)).status === 429;
    };
    for (let calls = 0; calls < 200 && !(await limited()); calls += 1);
    expect((await newRows()).filter(({ status }) => status !== "success")).toMatchObject([
      {
        type: "suspicious_activity",
        status: "warning",
        severity: "medium",
        action: "Called POST /api/contact too often",
      },
    ]);
  });

  test("too many requests to unknown paths, grouped like others and without the paths", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    const statuses: number[] = [];
    try {
      for (const method of ["GET", "POST", "DELETE"])
        for (let call = 0; call < 10; call += 1) {
          const init = { method, headers: { "user-agent": "Prober/1.0" } };
          const target = `/api/canary-${method}-${call}?canary`;
          statuses.push((await host.request(target, init, "203.0.113.9")).status);
        }
    } finally {
      settings.setCore(unlimitedCore);
    }
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(10);
    host.clock.advance(61_000);
    const rows = await newRows();
    // The first at once, the rest when their minute is over.
    expect(rows).toMatchObject(
      [1, refused - 1].map((occurrences) => ({
        type: "suspicious_activity",
        status: "warning",
        severity: "medium",
        actorKind: "visitor",
        ip: "203.0.113.9",
        action: "Called an unknown path too often",
        description: "an unknown path was answered with 429 RATE_LIMITED",
        occurrences,
      })),
    );
    expect(JSON.stringify(rows)).not.toContain("canary");
  });
});

describe("failures of the server are recorded", () => {
  test("with medium severity when they are temporary, with high when they are not", async () => {
    const user = await host.signedIn("user");
    await newRows();
    isBusy = true;
    const change = { currentPassword: testPassword, newPassword: "another-fine-battery" };
    expect((await user.call("PUT", "/api/account/password", change)).status).toBe(503);
    host.obstruct(new AppError("STORAGE_FULL"));
    expect((await user.call("PUT", "/api/account/name", { name: "Ada" })).status).toBe(507);
    host.obstruct(null);
    expect(await newRows()).toMatchObject([
      {
        type: "api_call",
        status: "failure",
        severity: "medium",
        action: "Change own password",
        description: "PUT /api/account/password was answered with 503 BUSY",
      },
      {
        type: "api_call",
        status: "failure",
        severity: "high",
        action: "Change own name",
        description: "PUT /api/account/name was answered with 507 STORAGE_FULL",
      },
    ]);
  });
});

describe("a change that succeeds", () => {
  test("by a signed-in user leaves a row without body, path or cookie", async () => {
    const user = await host.signedIn("user");
    await newRows();
    const canary = "canary-in-the-body-1234";
    const change = { currentPassword: testPassword, newPassword: canary };
    expect((await user.call("PUT", "/api/account/password", change)).status).toBe(200);
    const rows = await newRows();
    expect(rows).toMatchObject([
      {
        type: "api_call",
        status: "success",
        severity: "low",
        actorKind: "user",
        userId: user.user?.id,
        action: "Change own password",
        description: "PUT /api/account/password",
      },
    ]);
    const stored = JSON.stringify(rows);
    for (const secret of [canary, testPassword, user.cookie?.split("=")[1] ?? ""])
      expect(stored).not.toContain(secret);
  });

  test("by an admin or the operator leaves only its own row, and a sign-in no second one", async () => {
    const [admin, user] = [await host.signedIn("admin"), await host.signedIn("user")];
    await newRows();
    const disabled = await admin.call("POST", `/api/admin/users/${user.user?.id}/disable`);
    expect(disabled.status).toBe(200);
    expect(await newRows()).toHaveLength(1);
    const login = { email: admin.user?.email, password: testPassword };
    expect((await host.visitor().call("POST", "/api/auth/login", login)).status).toBe(200);
    expect((await newRows()).filter(({ type }) => type === "api_call")).toEqual([]);
  });

  test("by a visitor leaves no such row, and reading leaves none at all", async () => {
    const user = await host.signedIn("user");
    await newRows();
    await host.visitor().call("POST", "/api/auth/logout");
    await host.visitor().call("GET", "/api/auth/user");
    await user.call("GET", "/api/account");
    await user.call("GET", "/api/nowhere");
    await user.call("DELETE", "/api/nowhere");
    await user.call("DELETE", "/api/health");
    await user.call("PUT", "/api/account/name", {});
    await host.request("/api/admin/users", { headers: { host: "evil.example" } });
    expect(await newRows()).toEqual([]);
  });
});

test("L5: any user agent is logged as one line of limited length", async () => {
  const agents = [
    "line\u0085break\u009b31m",
    "\u202edetrevni",
    "x".repeat(7_000),
    "\u001b[31mred\u0007",
    "tab\there",
  ];
  for (const agent of agents) {
    host.clock.advance(61_000);
    // Headers carry bytes; what a terminal or a reader would make of them is another matter.
    const bytes = Buffer.from(agent, "utf8").toString("latin1");
    await host.visitor().call("GET", "/api/admin/users", undefined, { "user-agent": bytes });
  }
  const rows = await newRows();
  expect(rows).toHaveLength(agents.length);
  for (const { userAgent } of rows) {
    expect(userAgent?.length).toBeLessThanOrEqual(1_024);
    expect(userAgent).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

describe("a plugin's route", () => {
  const rowsOf = (plugin: string, method: string, actor: Actor) => {
    const left: ActivityFact[] = [];
    const call = {
      route: { ...routeOf, plugin, method, originClass: method === "GET" ? "safe" : "unsafe" } as const,
      isCall: true,
      trace: { failure: null, isRecorded: false },
      actor,
      cookies: { session: { token: null } },
      bearer: null,
      ...{ requestId: "r", ip: "203.0.113.7", userAgent: null, startedNs: 0 },
    };
    const activity: ActivityRecorder = {
      note: (fact) => void left.push(fact),
      record: async () => {},
      wake: () => {},
      settle: async () => {},
    };
    recordCall({ activity, clock: createTestClock() }, call, 200);
    return left.length;
  };
  const visitor: Actor = { kind: "visitor" };

  test("of a shipped plugin leaves no row when visitors use it, unlike any other plugin's", () => {
    for (const { manifest } of firstPartyPlugins)
      for (const method of ["GET", "POST"])
        expect([manifest.name, rowsOf(manifest.name, method, visitor)]).toEqual([manifest.name, 0]);
    expect([rowsOf("guest-book", "GET", visitor), rowsOf("guest-book", "POST", visitor)]).toEqual([1, 1]);
  });

  test("of a shipped plugin leaves a row for a change by a known user", () => {
    expect(rowsOf("licensing", "POST", { kind: "operator" })).toBe(1);
    expect(rowsOf("licensing", "GET", { kind: "operator" })).toBe(0);
  });
});

const routeOf = {
  ...({
    template: "/api/p",
    summary: "Do it",
    access: "public",
    scope: null,
    exemption: null,
    proof: "none",
  } as const),
  ...({ stateChange: null, failurePath: null, mayTakeLong: false, isShared: false } as const),
  ...({
    bodyKind: "json",
    isForTokens: false,
    originClass: "safe",
    bodyCheck: null,
    takesPassword: false,
    isForEnrolment: false,
    queryNames: null,
    planned: null,
    answer: null,
  } as const),
};
