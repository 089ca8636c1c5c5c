import { afterAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { newApiToken } from "#api/core/actor.ts";
import { hashToken } from "#api/core/ids.ts";
import { apiTokens, users } from "#api/db/schema.ts";
import type { TokenFault } from "#api/door/exchange.ts";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { testPassword } from "#api/testing/host.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { newTokenClient, type TokenClient } from "#api/testing/token-client.ts";
import { until } from "#api/testing/until.ts";
import { type TokenScope, tokenLimits, tokenTexts } from "#contract/api-tokens.ts";
import { createTokenSource } from "./credentials.ts";

const host = await hostForFile({ hasher: createCheapHasher() });

const isLetIn = async (client: TokenClient, peer?: string): Promise<boolean> => {
  const { status } = await client.call("GET", "/api/system/info", undefined, peer ? { peer } : {});
  expect([200, 401]).toContain(status);
  return status === 200;
};

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** How a token that is no good is answered: in the same way, whatever is wrong with it. */
const refusalOf = async (response: Response) => {
  const { requestId: _, ...body } = await response.json();
  return { status: response.status, challenge: response.headers.get("www-authenticate"), body };
};

const refusal = {
  status: 401,
  challenge: 'Bearer error="invalid_token"',
  body: { success: false, code: "NOT_SIGNED_IN", message: tokenTexts.refused },
};

describe("A2: an API token is refused from the next request on once", () => {
  const admin = async () => (await host.signedIn("admin")).user;
  const changeOwner = async (id: string, values: Partial<typeof users.$inferInsert>) => {
    await host.db.update(users).set(values).where(eq(users.id, id));
    host.services.events.publish({ type: "user-changed", userId: id });
  };
  const actions: [string, (client: TokenClient, ownerId: string) => Promise<unknown>][] = [
    [
      "it was revoked",
      async ({ made }) => {
        const operator = await newTokenClient(host);
        const done = await operator.call("POST", `/api/admin/tokens/${made.id}/revoke`, {});
        expect(done.status).toBe(200);
      },
    ],
    ["it has expired", async () => host.clock.advance(60 * 60 * 1000)],
    ["its owner was disabled", (_, id) => changeOwner(id, { disabledAt: host.clock.now() })],
  ];
  for (const [name, happen] of actions)
    test(name, async () => {
      const owner = await admin();
      const expiresAt = new Date(host.clock.now().getTime() + 60 * 60 * 1000).toISOString();
      const client = await newTokenClient(host, { owner, expiresAt });
      expect([await isLetIn(client), await isLetIn(client)]).toEqual([true, true]);
      await happen(client, owner?.id ?? "");
      expect(await refusalOf(await client.call("GET", "/api/system/info"))).toEqual(refusal);
      expect(await refusalOf(await client.call("POST", "/api/auth/login", {}))).toEqual(refusal);
    });

  test.each([
    ["disabled and enabled again", { method: "POST", path: "disable" }, { method: "POST", path: "enable" }],
    [
      "demoted and promoted again",
      { method: "PUT", path: "role", body: { role: "user" } },
      { method: "PUT", path: "role", body: { role: "admin" } },
    ],
  ])("its owner was %s", async (_, away, back) => {
    const [owner, other] = [await admin(), await host.signedIn("admin")];
    const client = await newTokenClient(host, { owner });
    for (const { method, path, body } of [
      { body: {}, ...away },
      { body: {}, ...back },
    ])
      expect((await other.call(method, `/api/admin/users/${owner?.id}/${path}`, body)).status).toBe(200);
    expect(await refusalOf(await client.call("GET", "/api/system/info"))).toEqual(refusal);
  });

  test("the operator's outlives every account", async () => {
    const client = await newTokenClient(host);
    await host.db.update(users).set({ disabledAt: host.clock.now() });
    expect(await isLetIn(client)).toBe(true);
    await host.db.update(users).set({ disabledAt: null });
  });
});

describe("A4: what is stored in the database grants no access", () => {
  test("neither the hash of a token nor anything else in its row is accepted", async () => {
    const { made } = await newTokenClient(host);
    const [row] = await host.db.select().from(apiTokens).where(eq(apiTokens.id, made.id));
    expect(row?.tokenHash).toBe(hashToken(made.token));
    expect(JSON.stringify(row)).not.toContain(made.token.slice(4, -4));
    for (const guess of [row?.tokenHash, `atr_${row?.tokenHash}`, row?.id, `atr_${row?.hint}`])
      expect((await host.request("/api/system/info", bearer(guess ?? ""))).status).toBe(401);
  });
});

describe("T2: an invalid API token", () => {
  test("gets the same response whether it does not exist or is used from a forbidden network", async () => {
    const elsewhere = await newTokenClient(host, { allowedNetworks: ["203.0.113.0/24"] });
    const unknown = await host.request("/api/system/info", bearer(newApiToken()));
    expect(await refusalOf(unknown)).toEqual(refusal);
    expect(await refusalOf(await elsewhere.call("GET", "/api/system/info"))).toEqual(refusal);
    const reasons = host.logs.flatMap(({ message, fields }) =>
      message === "an API token was refused" ? [fields?.reason] : [],
    );
    expect(reasons.slice(-2)).toEqual(["it does not exist", "it is not allowed from this network"]);
  });

  test("is told of a typo without a database lookup", async () => {
    const { made } = await newTokenClient(host);
    const typo = `${made.token.slice(0, 9)}${made.token[9] === "a" ? "b" : "a"}${made.token.slice(10)}`;
    const answer = await host.request("/api/system/info", bearer(typo));
    expect(await answer.json()).toMatchObject({ code: "NOT_SIGNED_IN", message: tokenTexts.malformed });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    const unread: typeof host.db = Object.create(host.db, {
      select: { value: () => expect.unreachable("the database was asked") },
    });
    const source = createTokenSource({ ...host.services, lookups: unread });
    const call = { ip: "203.0.113.1", requestId: "r" };
    expect(await source.judge({ ...call, token: typo })).toMatchObject({ fault: "malformed" });
    expect(() => source.judge({ ...call, token: made.token })).toThrow("the database was asked");
    source.stop();
  });

  test("is refused even with a valid session cookie beside it", async () => {
    const { cookie } = await host.signedIn("admin");
    const headers = { authorization: `Bearer ${newApiToken()}`, cookie: cookie ?? "" };
    expect((await host.request("/api/admin/users", { headers })).status).toBe(401);
  });

  test("is told to wait after a hundred attempts from one network, while a valid one from there keeps working", async () => {
    const good = await newTokenClient(host);
    const [peer, elsewhere] = ["2001:db8:5::1", "2001:db8:6::1"];
    const tokens = createTokenSource(host.services);
    for (let count = 0; count < tokenLimits.failuresByNetwork; count += 1) {
      const call = { token: newApiToken(), ip: `2001:db8:5::${count}`, requestId: "r" };
      expect(await tokens.judge(call)).toMatchObject({ refusal: { kind: "NOT_SIGNED_IN" } });
    }
    tokens.stop();
    const refused = () => host.logs.filter(({ message }) => message === "an API token was refused").length;
    const logged = refused();
    const answer = await host.request("/api/system/info", bearer(newApiToken()), peer);
    expect(answer.status).toBe(429);
    expect(refused()).toBe(logged);
    const stolen = await newTokenClient(host, { allowedNetworks: ["203.0.113.7"] });
    expect((await stolen.call("GET", "/api/system/info", undefined, { peer })).status).toBe(429);
    // Which one someone tries that is known to be no good there is told all the same.
    expect(refused()).toBe(logged + 1);
    expect(JSON.stringify(host.logs)).toContain(stolen.made.id);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await isLetIn(good, peer)).toBe(true);
    expect((await host.request("/api/system/info", bearer(newApiToken()), elsewhere)).status).toBe(401);
  });
});

test.each([
  [["203.0.113.7"], "203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.8", false],
  [["10.0.0.0/8", "2001:db8::/32"], "10.200.3.4", true],
  [["10.0.0.0/8", "2001:db8::/32"], "2001:db8:1::9", true],
  [["10.0.0.0/8", "2001:db8::/32"], "2001:db9::1", false],
  [["10.0.0.0/8"], "::ffff:10.1.1.1", true],
  [[], "198.51.100.1", true],
])("T6: a token for %p used from %p is let in: %p", async (allowedNetworks, peer, isAllowed) => {
  const client = await newTokenClient(host, { allowedNetworks });
  expect(await isLetIn(client, peer)).toBe(isAllowed);
});

describe("T6: an API token's own limit", () => {
  test("refuses further requests of that minute, says so, and affects no other token", async () => {
    const [client, other] = [await newTokenClient(host, { callsPerMinute: 2 }), await newTokenClient(host)];
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(await client.call("GET", "/api/system/info"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"token";q=2;w=60');
    expect(await answers[2]?.json()).toMatchObject({ message: tokenTexts.callsUsedUp });
    expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await isLetIn(other)).toBe(true);
    host.clock.advance(61_000);
    expect(await isLetIn(client)).toBe(true);
  });
});

describe("T6: what API tokens cannot do, whatever their scopes", () => {
  test.each(["users:write", "*"] as const)(
    "with %s, make a user an admin, or change an admin",
    async (scope) => {
      const client = await newTokenClient(host, { scopes: [scope] });
      const [admin, user] = [(await host.signedIn("admin")).user, (await host.signedIn("user")).user];
      const person = {
        name: "Eve",
        email: `eve${scope.length}@example.test`,
        password: "a rather long password",
      };
      const answers = [
        await client.call("POST", "/api/admin/users", { ...person, role: "admin" }),
        await client.call("PUT", `/api/admin/users/${user?.id}/role`, { role: "admin" }),
        await client.call("PUT", `/api/admin/users/${admin?.id}/role`, { role: "user" }),
        await client.call("POST", `/api/admin/users/${admin?.id}/disable`),
        await client.call("DELETE", `/api/admin/users/${admin?.id}`),
        await client.call("POST", "/api/admin/users", { ...person, role: "user" }),
      ];
      const codes = await Promise.all(
        answers.map(async (answer) => (await answer.json()).code ?? answer.status),
      );
      expect(codes).toEqual([...new Array(5).fill("SESSION_REQUIRED"), 201]);
    },
  );
});

test("a missing scope is named, in the message and in the challenge", async () => {
  const client = await newTokenClient(host, { scopes: ["plugins:read"] });
  const answer = await client.call("GET", "/api/admin/users");
  expect(answer.status).toBe(403);
  expect(answer.headers.get("www-authenticate")).toBe(
    'Bearer error="insufficient_scope", scope="users:read"',
  );
  expect(await answer.json()).toMatchObject({ message: tokenTexts.scopeMissing("users:read") });
});

test("a token sees all plugins only with plugins:read", async () => {
  const form = new FormData();
  const bytes = new Uint8Array(await packPlugin({ name: "switched-off" }));
  form.set("plugin", new File([bytes], "plugin.zip", { type: "application/zip" }));
  const writer = await newTokenClient(host, { scopes: ["plugins:write"] });
  expect((await writer.call("POST", "/api/plugins/upload", form)).status).toBe(201);
  const listed = async (scope: TokenScope) => {
    const client = await newTokenClient(host, { scopes: [scope] });
    return (await (await client.call("GET", "/api/plugins")).json()).data.length;
  };
  expect([await listed("plugins:read"), await listed("users:write")]).toEqual([1, 0]);
});

test("the session of a cookie beside a token is neither used nor ended", async () => {
  const [client, person] = [await newTokenClient(host), await host.signedIn("user")];
  const headers = { cookie: person.cookie ?? "" };
  const login = { email: person.user?.email, password: testPassword };
  expect((await client.call("GET", "/api/admin/users", undefined, { headers })).status).toBe(200);
  expect((await client.call("POST", "/api/auth/login", login, { headers })).status).toBe(200);
  expect((await client.call("POST", "/api/auth/logout", undefined, { headers })).status).toBe(200);
  expect((await person.call("GET", "/api/auth/user")).status).toBe(200);
});

test("a token's request needs no origin and sets no cookie, and another origin cannot read the response", async () => {
  const client = await newTokenClient(host);
  const headers = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
  const answer = await client.call("POST", "/api/admin/mails/retry", undefined, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
});

test("its use is recorded immediately and then once a minute, with the IP address", async () => {
  const client = await newTokenClient(host);
  const seen = async () => {
    const [row] = await host.db.select().from(apiTokens).where(eq(apiTokens.id, client.made.id));
    return [row?.lastUsedAt?.getTime() ?? null, row?.lastUsedIp];
  };
  expect(await seen()).toEqual([null, null]);
  await isLetIn(client, "203.0.113.50");
  const first = host.clock.now().getTime();
  // No call waits until it is recorded.
  await until(async () => (await seen())[0] !== null);
  expect(await seen()).toEqual([first, "203.0.113.50"]);
  host.clock.advance(59_000);
  await isLetIn(client, "203.0.113.51");
  expect(await seen()).toEqual([first, "203.0.113.50"]);
  host.clock.advance(1_000);
  await isLetIn(client, "203.0.113.51");
  await until(async () => (await seen())[0] !== first);
  expect(await seen()).toEqual([first + 60_000, "203.0.113.51"]);
});

describe("an Authorization header on a route that is open to everyone", () => {
  const withHeader = (authorization: string) => host.request("/api/plugins", { headers: { authorization } });

  test.each(["Bearer", "Bearer ", "bearer  "])("with an empty token, %p, is refused", async (header) => {
    const answer = await withHeader(header);
    expect(await answer.json()).toMatchObject({ code: "NOT_SIGNED_IN", message: tokenTexts.malformed });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  });

  test.each(["Bearer of-a-proxy", "Basic c2l0ZTpzaXRl"])(
    "that holds no API token, %p, is ignored",
    async (header) => {
      expect((await withHeader(header)).status).toBe(200);
    },
  );
});

// As if others used the database, too, of whose changes no message comes.
const database = { ...host.services.database, kind: "postgres" as const };
const source = createTokenSource({ ...host.services, database });
afterAll(async () => {
  source.stop();
});

const edit = (id: string, change: Partial<typeof apiTokens.$inferInsert>) =>
  host.db.update(apiTokens).set(change).where(eq(apiTokens.id, id));
const editOwner = (id: string, change: Partial<typeof users.$inferInsert>) =>
  host.db.update(users).set(change).where(eq(users.id, id));

const silentChanges: [string, TokenFault, (id: string, ownerId: string) => Promise<unknown>][] = [
  ["revoked", "revoked", (id) => edit(id, { revokedAt: new Date() })],
  ["ended earlier", "expired", (id) => edit(id, { expiresAt: new Date(0) })],
  ["kept to other networks", "network", (id) => edit(id, { allowedNetworks: ["203.0.113.1"] })],
  ["removed", "unknown", (id) => host.db.delete(apiTokens).where(eq(apiTokens.id, id))],
  ["of a disabled user", "owner", (_, id) => editOwner(id, { disabledAt: new Date() })],
  ["of a user with another role", "owner", (_, id) => editOwner(id, { role: "user" })],
  ["of a deleted user", "unknown", (_, id) => host.db.delete(users).where(eq(users.id, id))],
];

describe("A2: a remembered API token is refused at the next look once another process had it", () => {
  for (const [name, fault, change] of silentChanges)
    test(name, async () => {
      const owner = (await host.signedIn("admin")).user;
      const [one, other] = [await newTokenClient(host, { owner }), await newTokenClient(host)];
      const judge = async ({ made }: typeof one) => {
        const call = { token: made.token, ip: "192.0.2.1", requestId: "r" };
        const verdict = await source.judge(call);
        return "fault" in verdict ? verdict.fault : "good";
      };
      for (let turn = 0; turn < 2; turn += 1)
        expect(await Promise.all([judge(one), judge(other)])).toEqual(["good", "good"]);
      await change(one.made.id, owner?.id ?? "");
      expect(await Promise.all([judge(one), judge(other)])).toEqual([fault, "good"]);
    });
});

const newRows = createActivityReader(host.services);

/** The rows that calls leave once the minute is over in which they are counted together. */
const rowsAfter = async (act: () => Promise<unknown>): Promise<LoggedActivity[]> => {
  host.clock.advance(61_000);
  await newRows();
  await act();
  host.clock.advance(61_000);
  return newRows();
};

describe("L4: what an API token does is in the activity log under its name", () => {
  test("what it reads leaves no row", async () => {
    const owner = (await host.signedIn("admin")).user;
    const client = await newTokenClient(host, { name: "nightly report", owner });
    const rows = await rowsAfter(async () => {
      for (const path of ["/api/admin/users", "/api/system/info", "/api/admin/activity/stats"])
        expect((await client.call("GET", path)).status).toBe(200);
    });
    expect(rows).toEqual([]);
  });

  test("each change has a row of its own", async () => {
    const client = await newTokenClient(host, { name: "keeper" });
    const rows = await rowsAfter(async () => {
      for (const days of [500, 501]) await client.call("PUT", "/api/admin/activity/retention", { days });
    });
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toMatchObject({ actorKind: "token", userId: null, occurrences: 1 });
      expect(row.description).toContain('by the token "keeper"');
    }
  });

  test("two tokens with the same owner are told apart", async () => {
    const owner = (await host.signedIn("admin")).user;
    const one = await newTokenClient(host, { name: "one", owner });
    const other = await newTokenClient(host, { name: "other", owner });
    const rows = await rowsAfter(async () => {
      for (const [at, client] of [one, other, one].entries())
        await client.call("PUT", "/api/admin/activity/retention", { days: 400 + at });
    });
    const named = (name: string) => rows.filter(({ description }) => description.includes(`"${name}"`));
    expect([named("one").length, named("other").length]).toEqual([2, 1]);
  });

  test("what it was refused, and what was not found, is logged too", async () => {
    const client = await newTokenClient(host, { name: "curious", scopes: ["users:read"] });
    const rows = await rowsAfter(async () => {
      await client.call("GET", "/api/admin/backups");
      await client.call("GET", "/api/admin/users/none");
    });
    expect(rows.map(({ type, status, description }) => [type, status, description])).toEqual([
      [
        "permission_violation",
        "failure",
        'GET /api/admin/backups was answered with 403 FORBIDDEN (by the token "curious")',
      ],
      [
        "api_call",
        "failure",
        'GET /api/admin/users/:user was answered with 404 NOT_FOUND (by the token "curious")',
      ],
    ]);
  });

  test("an invalid one is logged with the reason, which the client is not told", async () => {
    const rows = await rowsAfter(() =>
      host.request("/api/admin/users", { headers: { authorization: `Bearer ${newApiToken()}` } }),
    );
    expect(rows).toMatchObject([
      {
        ...{ type: "permission_violation", status: "failure", actorKind: "visitor" },
        action: "Called GET /api/admin/users with an API token that is not valid",
        description: "GET /api/admin/users was answered with 401 NOT_SIGNED_IN: it does not exist",
      },
    ]);
  });
});

test("A4: an API token sent in the wrong place is neither stored nor logged", async () => {
  const client = await newTokenClient(host);
  const { token } = client.made;
  const headers = { "user-agent": `curl ${token}`, referer: `https://x.example/?t=${token}` };
  await client.call("GET", `/api/admin/users/${token}`, undefined, { headers });
  await client.call("GET", `/api/${token}`, undefined, { headers });
  await client.call("POST", "/api/admin/users", { name: token, email: token, password: "x", role: token });
  await host
    .visitor()
    .call("POST", "/api/auth/login", { email: `${token}@x.example`, password: "x".repeat(12) });
  const page = await client.call("GET", `/api/admin/users?search=${token}&limit=none`);
  expect(await page.text()).not.toContain(token.slice(4));
  host.clock.advance(61_000);
  await host.services.activity.settle();
  const secret = token.slice(4, 40);
  expect((await contentsOf(host.db)).join("\n")).not.toContain(secret);
  expect(JSON.stringify(host.logs)).not.toContain(secret);
});
