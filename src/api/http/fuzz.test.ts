import { afterAll, beforeAll, expect, test } from "bun:test";
import { noBreaker } from "#api/plugin-host/dispatch/invoke-route.ts";
import { createPluginRoutes } from "#api/plugin-host/dispatch/plugin-routes.ts";
import type { LivePlugin } from "#api/plugin-host/runtime.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { describedSchemas } from "#api/testing/described-schema.ts";
import { type DescribedCall, documentCalls } from "#api/testing/document-calls.ts";
import { openFuzzPlugins } from "#api/testing/fuzz-plugins.ts";
import {
  type Caller,
  createFuzzWorld,
  entranceOf,
  type FuzzWorld,
  mayCall,
  newCaller,
} from "#api/testing/fuzz-world.ts";
import { goodCalls } from "#api/testing/good-calls.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { headersAsSent, insideLeak } from "#api/testing/inside-leak.ts";
import { type GoodCall, mutateRequest, type WildRequest, wholeRequest } from "#api/testing/mutate-request.ts";
import { createRandom, type Random, testSeed } from "#api/testing/random.ts";
import { rawCall } from "#api/testing/raw-call.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { sized } from "#api/testing/size.ts";
import { describedPath } from "./document/api-document.ts";
import { noPlugins } from "./plugin-entrance.ts";
import { documentPath } from "./target.ts";

/**
 * Calls that calls at random cannot make so that they are answered well: for lack of an emailed link, of what is outside, of
 * a runtime, or of rows that only other programs make. They are made all the same, and are to be refused as described.
 */
const neverGood: ReadonlySet<string> = new Set([
  // What it takes is the operation's own, of which the document says nothing here.
  "POST /api/plan/{operation}",
  // Nor is anything at random an image.
  "POST /api/auth/settings/site/images",
  // No one knows what is in the mails, and the setup is done with the first admin.
  "GET /api/auth/verify-email/{token}",
  "POST /api/auth/verify-email/{token}",
  "GET /api/auth/reset-password/{token}",
  "POST /api/auth/reset-password/{token}",
  "GET /api/auth/setup/{token}",
  "POST /api/auth/setup",
  "GET /api/auth/invitations/{token}",
  "POST /api/auth/invitations/{token}",
  "POST /api/auth/passkey/ceremony/{token}",
  "GET /api/auth/email-change/{token}",
  "POST /api/auth/email-change/{token}",
  "GET /api/auth/unlink-provider/{token}",
  "POST /api/auth/unlink-provider/{token}",
  "DELETE /api/account/email",
  // Codes come from an app that no request sets up.
  "POST /api/auth/login/factor",
  "POST /api/account/totp/verify",
  "POST /api/account/totp/enable",
  "DELETE /api/account/totp",
  "POST /api/account/recovery-codes",
  // Nor are there authenticators, whose passkeys could be given, renamed or removed.
  "POST /api/auth/login/factor/ceremony",
  "POST /api/auth/passkey",
  "POST /api/account/passkeys",
  "PATCH /api/account/passkeys/{id}",
  "DELETE /api/account/passkeys/{id}",
  "POST /api/admin/users/{user}/second-factor/reset",
  // None of these services, nor a token for figures, are there.
  "GET /api/auth/{provider}",
  "GET /api/auth/{provider}/callback",
  "POST /api/auth/{provider}/backchannel-logout",
  "POST /api/account/confirm/provider",
  "POST /api/account/connections/{provider}",
  "DELETE /api/account/connections/{provider}",
  "POST /api/auth/settings/providers/{provider}/test",
  "POST /api/auth/settings/test-redis",
  "POST /api/auth/settings/test-r2",
  "POST /api/auth/settings/test-rate-limit",
  "GET /api/metrics",
  "POST /api/system/snapshots",
  // The one package has no interface, former version or earlier life.
  "GET /api/plugins/{name}/assets/{sha}/{path}",
  "GET /api/plugins/{name}/frame",
  "DELETE /api/plugins/{name}/versions/{version}",
  "POST /api/plugins/{name}/replace-publisher",
  "POST /api/plugins/{name}/restore",
  "DELETE /api/plugins/{name}/retained/{publisher}",
  "GET /api/plugin-host/{file}",
  // Only a change that would lock its maker out waits for their word.
  "POST /api/firewall/confirm",
  "POST /api/firewall/revert",
  // Addresses, by ids and numbers of a list that no one read.
  "POST /api/firewall/addresses",
  "PUT /api/firewall/addresses/{id}",
  "POST /api/firewall/addresses/delete",
  "POST /api/firewall/addresses/remove",
  "POST /api/firewall/bans",
  "POST /api/firewall/bans/lift",
  // Ids that the firewall chose itself, of rules and of blocked requests.
  "PUT /api/firewall/rates/{id}",
  "DELETE /api/firewall/rates/{id}",
  "PUT /api/firewall/exemptions/{id}",
  "DELETE /api/firewall/exemptions/{id}",
  "POST /api/firewall/proposals/{id}/accept",
  "POST /api/firewall/history/{id}/revert",
  "GET /api/firewall/explain/{id}",
  "GET /api/firewall/replay/{id}",
  "DELETE /api/firewall/replay/{id}",
  // A license is signed by who sells it.
  "PUT /api/licensing/licence",
  "DELETE /api/licensing/licence",
]);

const requests = sized(5_000, 100_000);
const batch = 20;
const worldLasts = 2_500;

let host: TestHost;
let running: LivePlugin[] = [];
let world: FuzzWorld;
let document: object;
let described: ReturnType<typeof documentCalls>;
let schemas: ReturnType<typeof describedSchemas>;
let callAt: Map<string, DescribedCall>;

beforeAll(async () => {
  const plugins = createPluginRoutes({
    log: () => {},
    breaker: noBreaker,
    used: () => {},
    settingsOf: () => ({}),
  });
  host = await createTestHost({
    hasher: createCheapHasher(),
    entrance: () => ({ ...noPlugins, routes: plugins, describe: plugins.describe }),
  });
  running = await openFuzzPlugins(host, plugins);
  world = await createFuzzWorld(host);
  document = Object(await (await host.visitor().call("GET", documentPath)).json());
  described = documentCalls(document);
  schemas = describedSchemas(document, { isClosed: true });
  callAt = new Map(described.calls.map((call) => [`${call.method} ${call.path}`, call]));
});
afterAll(async () => {
  await Promise.all(running.map(({ runtime }) => runtime.stop("shutdown")));
  await host.close();
});

const isOfPlugin = (path: string): boolean =>
  running.some(({ manifest }) => `${path}/`.startsWith(`/api/${manifest.name}/`));

test("H2: every route is in the document, and has a hand-written valid request", () => {
  const { all, find } = host.app.routes;
  const own = [...callAt.values()].filter(({ path }) => !isOfPlugin(path));
  expect(callAt.size - own.length).toBeGreaterThan(55);
  expect([...neverGood].filter((call) => !callAt.has(call))).toEqual([]);
  expect(new Set(goodCalls.map(({ method, path }) => find(method, path)))).toEqual(new Set(all));
  expect(all.map(({ method, template }) => `${method} ${describedPath(template)}`).sort()).toEqual(
    own.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  const accesses = described.calls
    .filter(({ path }) => isOfPlugin(path))
    .map(({ security }) => security.length);
  expect(new Set(accesses)).toEqual(new Set([0, 2, 3]));
});

/** A call at random, and who makes it. */
type Sent = { caller: Caller; request: WildRequest };

/** A call of a route, as the document has it or damaged, by someone. */
const nextCall = async (random: Random, number: number): Promise<Sent> => {
  const { calls, make } = described;
  // In turn, so that none is left out.
  const call = calls[number % calls.length] ?? random.pick([...calls] as [DescribedCall, ...DescribedCall[]]);
  const fromDocument = make(call, { random, ...world });
  const good: GoodCall = random.once(4) ? random.pick(goodCalls) : fromDocument;
  const isWhole = random.once(3);
  // Whole ones mostly come from who may make them, so that enough of them get through.
  const able = world.callers.filter((one) => mayCall(one, call));
  const isAble = isWhole && good === fromDocument && !random.once(4);
  const caller = (isAble ? able[random.below(able.length)] : undefined) ?? random.pick(world.callers);
  return {
    caller: endsSessions(good) && caller.cookie !== null ? await stranger(caller) : caller,
    request: isWhole ? wholeRequest(good) : mutateRequest(random, good),
  };
};

/** After these no one is signed in who was: someone else makes them. */
const endsSessions = ({ method, path }: GoodCall): boolean =>
  path.startsWith("/api/auth/log") ||
  // Only sessions in other browsers are known by name.
  (path.startsWith("/api/account") && method !== "GET" && !path.startsWith("/api/account/sessions/"));

/** Someone of the same role whom no other call needs: the same one until such a call was answered well. */
const stranger = async ({ name }: Caller): Promise<Caller> => {
  const known = strangers.get(name) ?? (await newCaller(host, name === "admin" ? "admin" : "user"));
  strangers.set(name, known);
  return known;
};
const strangers = new Map<string, Caller>();

// Nothing of the outside is there: no provider, no bucket, none of the installed plugins runs.
const expected503 = new Set(["PLUGIN_UNAVAILABLE", "STORAGE_UNAVAILABLE", "BUSY"]);

/** What is wrong with the answer, or `null`. */
const faultIn = async ({ caller, request }: Sent, number: number): Promise<string | null> => {
  const headers = { ...request.headers, ...(caller.headers.authorization ? caller.headers : {}) };
  const response = await rawCall(host, caller, { ...request, headers }, entranceOf(caller, number));
  const { status } = response;
  const route = routeOf(response);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const call = callAt.get(`${method} ${route}`);
  if (status < 400 && strangers.get(caller.name) === caller) strangers.delete(caller.name);
  // A live stream has no end; who goes away gives its place back.
  const isLive = response.headers.get("content-type") === "text/event-stream";
  if (isLive) await response.body?.cancel();
  const text = isLive ? "" : await response.clone().text();
  count(call === undefined ? "elsewhere" : `${call.method} ${call.path}`, status);

  const told = `${text}\n${headersAsSent(response.headers, caller.cookie)}`;
  if (world.secrets.some((secret) => told.includes(secret))) return "a secret came back";
  const leak = insideLeak(told);
  if (leak !== null) return `${leak} came out`;
  if (status >= 500 && !(status === 503 && expected503.has(codeIn(text))))
    return `${status} ${JSON.stringify(host.logs.filter(({ level }) => level === "error"))}`;
  // Plugins refuse in words of their own, which are held to the document.
  const isOurs = !isOfPlugin(route) || codeIn(text) !== "";
  const isRefusal = status >= 400 && request.method !== "HEAD" && call?.path !== "/mcp" && isOurs;
  if (isRefusal && route.startsWith("/api")) await readRefusal(response.clone(), []);
  // What a path has no method for, or stands nowhere, is described nowhere; a GET that changes something has no HEAD.
  if (call === undefined || (status === 405 && request.method === "HEAD")) return null;
  return isLive ? null : undescribed(call, status, response.headers.get("content-type"), text);
};

/** The code of a failure, empty for anything else. */
const codeIn = (text: string): string => /^\{"success":false,"code":"([A-Z_]+)"/.exec(text)?.[1] ?? "";

/** In what an answer differs from what the document says of it; `null` for nothing. */
const undescribed = (
  call: DescribedCall,
  status: number,
  type: string | null,
  text: string,
): string | null => {
  const answer = call.responses[status] ?? call.responses.default;
  if (answer === undefined) return `${status} is not described`;
  const content: object = Object(Reflect.get(schemas.resolve(answer), "content"));
  if (text === "") return null;
  const kind = type?.split(";")[0] ?? "";
  const media: unknown = Reflect.get(content, kind) ?? Reflect.get(content, "*/*");
  if (media === undefined) return `${status} is not described as ${kind}`;
  const schema: unknown = Reflect.get(Object(media), "schema");
  if (kind !== "application/json" || typeof schema !== "object" || schema === null) return null;
  const [error] = schemas.check(schema)(JSON.parse(text));
  return error === undefined ? null : `${status} is described otherwise at ${error.path}: ${error.message}`;
};

/** The route that answered, as the document has it. */
const routeOf = (response: Response): string => {
  const id = response.headers.get("x-request-id");
  const line = host.logs.findLast(({ message, fields }) => message === "request" && fields?.requestId === id);
  return describedPath(String(line?.fields?.route));
};

/** How often each call was answered with what. */
const answered = new Map<string, Map<number, number>>();
const count = (call: string, status: number): void => {
  const statuses = answered.get(call) ?? new Map<number, number>();
  answered.set(call, statuses.set(status, (statuses.get(status) ?? 0) + 1));
};

const isGood = (status: number): boolean => status < 400;

/** Makes a call as the document has it, by those who may, until it is answered well; `false` when it never is. */
const isAnsweredWell = async (call: DescribedCall, random: Random): Promise<boolean> => {
  const able = world.callers.filter((one) => mayCall(one, call));
  for (let turn = 0; turn < 25 && !isMet(call); turn += 1) {
    const good = described.make(call, { random, ...world });
    const known = able[turn % able.length];
    if (known === undefined) return false;
    const caller = endsSessions(good) && known.cookie !== null ? await stranger(known) : known;
    const fault = await faultIn({ caller, request: wholeRequest(good) }, turn);
    if (fault !== null) throw new Error(`${call.method} ${call.path}: ${fault}`);
  }
  return isMet(call);
};

const isMet = ({ method, path }: DescribedCall): boolean =>
  [...(answered.get(`${method} ${path}`)?.keys() ?? [])].some(isGood);

// The many calls use up what single ones need: a report can be canceled while it is being made.
const step = inOrder();

step(
  "H2: each request can be built from the document alone, and succeeds for users who can make it",
  async () => {
    const seed = Number(process.env.FUZZ_SEED ?? testSeed());
    const random = createRandom(seed);
    console.info(`seed ${seed} (FUZZ_SEED replays it)`);
    let unmet = described.calls.filter(({ method, path }) => !neverGood.has(`${method} ${path}`));
    // Some need what others leave behind, and some what others take away.
    for (let round = 0; round < 4 && unmet.length > 0; round += 1) {
      if (round === 2) world = await createFuzzWorld(host);
      const left: DescribedCall[] = [];
      for (const call of unmet) if (!(await isAnsweredWell(call, random))) left.push(call);
      unmet = left;
    }
    expect(
      unmet.map(({ method, path }) => `${method} ${path} ${[...(answered.get(`${method} ${path}`) ?? [])]}`),
    ).toEqual([]);
    world = await createFuzzWorld(host);
  },
  300_000,
);

step(
  `H2: ${requests} requests generated from the document, valid and damaged, by all kinds of users, get responses as described, without 5xx or secrets`,
  async () => {
    const seed = Number(process.env.FUZZ_SEED ?? testSeed());
    const random = createRandom(seed);
    const faults: unknown[] = [];
    for (let sent = 0; sent < requests && faults.length < 5; sent += batch) {
      if (sent % worldLasts === 0 && sent > 0) world = await createFuzzWorld(host);
      host.logs.length = 0;
      host.mails.length = 0;
      // Each plugin writes so many lines to the activity log a minute, and no more.
      host.clock.advance(60_000);
      const calls: Sent[] = [];
      for (let at = 0; at < batch; at += 1) calls.push(await nextCall(random, sent + at));
      const found = await Promise.all(
        calls.map((call, at) => faultIn(call, sent + at).catch((error) => String(error))),
      );
      found.forEach((fault, at) => {
        const call = calls[at];
        if (fault !== null)
          faults.push({
            seed,
            number: sent + at,
            fault,
            who: call?.caller.name,
            request: brief(call?.request),
          });
      });
      const said = JSON.stringify(host.logs);
      const secret = world.secrets.find((each) => said.includes(each));
      if (secret !== undefined)
        faults.push({ seed, number: sent, fault: `the log holds ${secret.slice(0, 8)}…` });
    }
    console.info(`seed ${seed} (FUZZ_SEED replays it):`, Object.fromEntries(statuses()));
    expect(faults).toEqual([]);
    // Enough was refused in each way for this to mean something.
    for (const status of [200, 400, 401, 403, 404, 422])
      expect([status, (statuses().get(status) ?? 0) > requests / 200]).toEqual([status, true]);
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    expect((await host.visitor().call("GET", "/api/ready")).status).toBe(200);
  },
  3_600_000,
);

/** How often each status was answered, whatever was called. */
const statuses = (): Map<number, number> => {
  const all = new Map<number, number>();
  for (const each of answered.values())
    for (const [status, times] of each) all.set(status, (all.get(status) ?? 0) + times);
  return new Map([...all].sort(([one], [other]) => one - other));
};

const brief = (request: WildRequest | undefined): string =>
  JSON.stringify({ ...request, body: typeof request?.body === "string" ? request.body : null }).slice(
    0,
    1_000,
  );
