import { afterAll, beforeAll, expect, test } from "bun:test";
import { accountRoutes } from "#api/modules/account/index.ts";
import {
  type ActivityStreams,
  activityLogRoutes,
  activityRoutes,
  activityStreamRoutes,
} from "#api/modules/activity/index.ts";
import { adminRoutes } from "#api/modules/admin/index.ts";
import { authRoutes, providerRoutes } from "#api/modules/auth/index.ts";
import { contactRoutes } from "#api/modules/contact/index.ts";
import { systemRoutes } from "#api/modules/system/index.ts";
import { userRoutes } from "#api/modules/users/index.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import { type GoodCall, mutateRequest, type WildRequest } from "#api/testing/mutate-request.ts";
import { createRandom, type Random, testSeed } from "#api/testing/random.ts";
import { rawCall } from "#api/testing/raw-call.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { sized } from "#api/testing/size.ts";
import { createDoor } from "./door.ts";

const requests = sized(5_000, 100_000);
const canary = "canary-of-a-password";
const person = { name: "Ada Example", email: "ada@fuzzed.example", password: canary };

/** A good call of every route. A route without one fails the tests. */
const goodCalls: [GoodCall, ...GoodCall[]] = [
  { method: "GET", path: "/api/health" },
  { method: "GET", path: "/api/ready" },
  { method: "GET", path: "/api/auth/user" },
  { method: "POST", path: "/api/auth/login", body: { email: person.email, password: canary } },
  { method: "POST", path: "/api/auth/register", body: person },
  { method: "POST", path: "/api/auth/resend-verification", body: { email: person.email } },
  { method: "POST", path: "/api/auth/forgot-password", body: { email: person.email } },
  { method: "POST", path: `/api/auth/reset-password/${"A".repeat(43)}`, body: { password: canary } },
  { method: "GET", path: `/api/auth/verify-email/${"A".repeat(43)}` },
  { method: "POST", path: "/api/auth/setup", body: { ...person, token: "A".repeat(43) } },
  { method: "GET", path: "/api/auth/providers" },
  { method: "GET", path: "/api/auth/google", query: { returnTo: "/dashboard" } },
  {
    method: "GET",
    path: "/api/auth/google/callback",
    query: { state: "A".repeat(400), code: "A".repeat(40) },
  },
  { method: "GET", path: "/api/auth/github", query: { returnTo: "/dashboard" } },
  {
    method: "GET",
    path: "/api/auth/github/callback",
    query: { state: "A".repeat(400), error: "access_denied" },
  },
  { method: "GET", path: "/api/auth/logout" },
  { method: "POST", path: "/api/auth/logout" },
  { method: "GET", path: "/api/account" },
  { method: "PUT", path: "/api/account/name", body: { name: person.name } },
  {
    method: "PUT",
    path: "/api/account/password",
    body: { currentPassword: canary, newPassword: `another-${canary}` },
  },
  { method: "GET", path: "/api/account/sessions" },
  { method: "DELETE", path: "/api/account/sessions" },
  { method: "DELETE", path: "/api/account/sessions/019a9f00-0000-7000-8000-000000000000" },
  { method: "POST", path: "/api/account/connections/google", body: { password: canary } },
  { method: "DELETE", path: "/api/account/connections/github" },
  { method: "GET", path: "/api/account/export" },
  { method: "DELETE", path: "/api/account", body: { password: canary } },
  {
    method: "POST",
    path: "/api/contact",
    body: { name: person.name, email: person.email, subject: "Sales", message: "One\nTwo" },
  },
  { method: "GET", path: "/api/admin/contact", query: { limit: "5", search: "ada", status: "open" } },
  { method: "GET", path: "/api/admin/contact/export", query: { format: "csv", subject: "Sales" } },
  { method: "GET", path: "/api/admin/contact/019a9f00-0000-7000-8000-000000000000" },
  {
    method: "PUT",
    path: "/api/admin/contact/019a9f00-0000-7000-8000-000000000000",
    body: { handled: true },
  },
  { method: "DELETE", path: "/api/admin/contact/019a9f00-0000-7000-8000-000000000000" },
  {
    method: "GET",
    path: "/api/admin/activity",
    query: {
      ...{ limit: "10", offset: "0", before: "1000000", type: "admin_action,api_call", pluginName: "core" },
      ...{ status: "success", severity: "low,high", actorKind: "user", search: "ada" },
      ...{ startDate: "2020-01-31", endDate: "2100-01-31T12:00:00Z" },
    },
  },
  { method: "GET", path: "/api/admin/activity/stats" },
  { method: "GET", path: "/api/admin/activity/days", query: { days: "7", status: "failure" } },
  { method: "GET", path: "/api/admin/activity/1" },
  {
    method: "GET",
    path: "/api/admin/activity/export",
    query: { format: "csv", limit: "50", before: "900", type: "api_call", search: "ada" },
  },
  { method: "DELETE", path: "/api/admin/activity/cleanup", query: { days: "90" } },
  { method: "GET", path: "/api/admin/activity/retention" },
  { method: "PUT", path: "/api/admin/activity/retention", body: { days: 365 } },
  { method: "GET", path: "/api/admin/activity/verify", query: { after: "0", limit: "50" } },
  { method: "GET", path: "/api/admin" },
  {
    method: "GET",
    path: "/api/admin/users",
    query: {
      ...{ limit: "10", offset: "0", search: "ada", role: "user", status: "active" },
      ...{ sort: "name", order: "desc" },
    },
  },
  { method: "POST", path: "/api/admin/users", body: { ...person, role: "user" } },
  { method: "GET", path: `/api/admin/users/${person.email}` },
  { method: "PUT", path: `/api/admin/users/${person.email}/role`, body: { role: "admin" } },
  { method: "POST", path: `/api/admin/users/${person.email}/disable` },
  { method: "POST", path: `/api/admin/users/${person.email}/enable` },
  { method: "POST", path: `/api/admin/users/${person.email}/send-reset` },
  { method: "DELETE", path: `/api/admin/users/${person.email}/sessions` },
  { method: "DELETE", path: `/api/admin/users/${person.email}` },
  { method: "GET", path: "/api/admin/pending-users", query: { limit: "10", offset: "0", search: "ada" } },
  { method: "POST", path: `/api/admin/pending-users/${person.email}/verify` },
  { method: "DELETE", path: `/api/admin/pending-users/${person.email}` },
  {
    method: "GET",
    path: "/api/admin/activity/stream",
    query: { after: "0", severity: "high,critical", search: "role", startDate: "2026-01-31" },
  },
  { method: "GET", path: "/api/system/info" },
];

/** What is answered before a route has its say, whatever the route: see the pipeline. */
const generalStatuses = [400, 403, 404, 405, 408, 413, 414, 415, 421, 422];

let host: TestHost;
let people: Record<WildRequest["who"], TestClient>;
const gather = async () => ({
  visitor: host.visitor(),
  user: await host.signedIn("user"),
  admin: await host.signedIn("admin"),
});
beforeAll(async () => {
  host = await createTestHost({ hasher: createCheapHasher() });
  people = await gather();
});
afterAll(() => host.close());

const noStreams: ActivityStreams = {
  open: () => Promise.reject(new Error("nobody calls these")),
  drain: () => {},
  stop: () => {},
};
const door = createDoor();
const modules = [
  systemRoutes(door),
  authRoutes(door),
  providerRoutes(door),
  accountRoutes(door),
  contactRoutes(door),
  adminRoutes(door),
  activityRoutes(door),
  activityLogRoutes(door),
  activityStreamRoutes(door, noStreams),
  userRoutes(door),
];
const documented = new Map(
  modules
    .flatMap(({ routes }) => routes)
    .map(({ method, path, hooks }) => [`${method} ${path}`, Object.keys(hooks.response ?? {}).map(Number)]),
);

test("every route has a good call to begin with, and says what it answers", async () => {
  const { all, find } = host.app.routes;
  expect(new Set(goodCalls.map(({ method, path }) => find(method, path)))).toEqual(new Set(all));
  expect(new Set(documented.keys())).toEqual(
    new Set(all.map(({ method, template }) => `${method} ${template}`)),
  );
});

/** What is wrong with the answer, or `null`. */
const faultIn = async (request: WildRequest): Promise<string | null> => {
  const response = await rawCall(host, people[request.who], request);
  const { status } = response;
  if (status >= 500) return `${status} ${JSON.stringify(host.logs.filter(({ level }) => level === "error"))}`;
  if (!request.path.startsWith("/api/")) return null;
  const route = `${request.method === "HEAD" ? "GET" : request.method} ${templateOf(response)}`;
  if (![...(documented.get(route) ?? []), ...generalStatuses].includes(status)) {
    return `${status} is not documented for ${route}`;
  }
  try {
    if (status >= 400 && request.method !== "HEAD") await readRefusal(response.clone(), [canary]);
    // A live stream has no end; who goes away gives its place back.
    if (response.headers.get("content-type") === "text/event-stream") {
      await response.body?.cancel();
      return null;
    }
    return (await response.text()).includes(canary) ? "the password came back" : null;
  } catch (error) {
    return String(error);
  }
};

/** The route that answered, as the log has it. */
const templateOf = (response: Response): string => {
  const id = response.headers.get("x-request-id");
  const line = host.logs.find(({ message, fields }) => message === "request" && fields?.requestId === id);
  return String(line?.fields?.route);
};

test(`${requests} spoilt calls of every route are answered in the envelope, as documented, never with 5xx`, async () => {
  const seed = testSeed();
  const random = createRandom(seed);
  const faults: unknown[] = [];
  const statuses = new Map<string, number>();
  for (let sent = 0; sent < requests && faults.length < 5; sent += batch) {
    if (sent % 500 === 0) people = await gather();
    host.logs.length = 0;
    host.mails.length = 0;
    const wild = Array.from({ length: batch }, () => mutateRequest(random, pickCall(random)));
    const found = await Promise.all(wild.map(faultIn));
    found.forEach((fault, at) => {
      if (fault !== null) faults.push({ seed, number: sent + at, fault, request: brief(wild[at]) });
    });
    for (const { message, fields } of host.logs) {
      const key = message === "request" ? String(fields?.status) : message;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
    }
    const said = JSON.stringify(host.logs);
    if (said.includes(canary)) faults.push({ seed, number: sent, fault: "the log holds the password" });
  }
  console.info(`seed ${seed} (TEST_SEED replays it):`, Object.fromEntries([...statuses].sort()));
  expect(faults).toEqual([]);
  // Enough came through to the routes, and enough was refused, for this to mean something.
  for (const status of ["200", "400", "401", "403", "404", "422"]) {
    expect([status, (statuses.get(status) ?? 0) > requests / 200]).toEqual([status, true]);
  }
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
}, 3_600_000);

const batch = 20;

// Calls with fields have more ways to go wrong.
const pickCall = (random: Random): GoodCall => {
  const good = random.pick(goodCalls);
  return good.body || good.query ? good : random.pick(goodCalls);
};

const brief = (request: WildRequest | undefined): string => JSON.stringify(request).slice(0, 1_000);
