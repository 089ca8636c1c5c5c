import { afterAll, beforeAll, expect, test } from "bun:test";
import { noMetrics } from "#api/core/metrics-door.ts";
import { accountRoutes } from "#api/modules/account/index.ts";
import {
  type ActivityStreams,
  activityLogRoutes,
  activityRoutes,
  activityStreamRoutes,
} from "#api/modules/activity/index.ts";
import { adminRoutes } from "#api/modules/admin/index.ts";
import { authRoutes, providerRoutes } from "#api/modules/auth/index.ts";
import { backupRoutes } from "#api/modules/backups/index.ts";
import { contactRoutes } from "#api/modules/contact/index.ts";
import { mailRoutes } from "#api/modules/mail/index.ts";
import {
  pluginKeyRoutes,
  pluginPackageRoutes,
  pluginRoutes,
  pluginSettingsRoutes,
} from "#api/modules/plugins/index.ts";
import { secretRoutes } from "#api/modules/secrets/index.ts";
import { settingsRoutes, settingsTestRoutes } from "#api/modules/settings/index.ts";
import { snapshotRoutes } from "#api/modules/snapshots/index.ts";
import { supportRoutes, systemRoutes } from "#api/modules/system/index.ts";
import { userRoutes } from "#api/modules/users/index.ts";
import { noAssets } from "#api/plugin-host/assets/asset-source.ts";
import { pluginAssetRoutes } from "#api/plugin-host/assets/routes.ts";
import { starterRoutes } from "#api/plugin-host/author/starter-routes.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { canary, goodCalls } from "#api/testing/good-calls.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import { type GoodCall, mutateRequest, type WildRequest } from "#api/testing/mutate-request.ts";
import { createRandom, type Random, testSeed } from "#api/testing/random.ts";
import { rawCall } from "#api/testing/raw-call.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { sized } from "#api/testing/size.ts";
import { documentRoutes } from "./api-document.ts";
import { createDoor } from "./door.ts";

const requests = sized(5_000, 100_000);

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
  systemRoutes(door, {
    readiness: { read: () => Promise.reject(new Error("nobody calls it")) },
    metrics: noMetrics,
  }),
  supportRoutes(door),
  secretRoutes(door),
  snapshotRoutes(door),
  backupRoutes(door),
  authRoutes(door),
  providerRoutes(door),
  accountRoutes(door),
  contactRoutes(door),
  mailRoutes(door),
  adminRoutes(door),
  activityRoutes(door),
  activityLogRoutes(door),
  activityStreamRoutes(door, noStreams),
  settingsRoutes(door),
  settingsTestRoutes(door),
  userRoutes(door),
  pluginRoutes(door),
  pluginPackageRoutes(door),
  pluginSettingsRoutes(door),
  pluginKeyRoutes(door),
  pluginAssetRoutes(door, { assets: noAssets, pages: { respond: () => new Response() } }),
  starterRoutes(door),
  documentRoutes(door, async () => ({ openapi: "3.1.0" })),
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
