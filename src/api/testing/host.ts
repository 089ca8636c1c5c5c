import { createMemoryEventBus } from "#api/adapters/event-bus/postgres-event-bus.ts";
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { type AtriumApp, createApp } from "#api/app.ts";
import type { AppError } from "#api/core/app-error.ts";
import type { IdentityProviders, Mail, PasswordHasher, Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { createHappenings } from "#api/core/events.ts";
import type { Log, LogFields } from "#api/core/log.ts";
import type { MetricsEndpoint } from "#api/core/metrics.ts";
import type { EnvironmentProvider } from "#api/core/providers.ts";
import type { ConnectionTests, FirewallProbe, SettingsService } from "#api/core/settings.ts";
import { declareRoutes } from "#api/declare-routes.ts";
import type { CallObserver } from "#api/http/answers.ts";
import type { PageServer } from "#api/http/pages/open-page.ts";
import type { PluginEntrance } from "#api/http/plugin-entrance.ts";
import {
  beforeHooksOf,
  featureSettingsOf,
  loadFeatures,
  personalDataOf,
  refuseUnmigrated,
} from "#api/load-features.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";
import { login } from "#api/modules/auth/index.ts";
import { fillMail } from "#api/modules/mail/index.ts";
import { createServiceStates, createSettingsService } from "#api/modules/settings/index.ts";
import { createUser } from "#api/modules/users/index.ts";
import type { Plugins } from "#api/plugin-host/create-plugins.ts";
import { createFirewallProbe, type OpenFirewallProbe } from "#api/plugin-host/native/native-host.ts";
import { passkeyHost } from "#contract/passkeys.ts";
import { dryRunName, planPath } from "#contract/plan.ts";
import type { Role, User } from "#contract/users.ts";
import { createAnswerCheck } from "./answer-check.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { plainServices, testSecrets } from "./context.ts";
import { openTestDatabase } from "./database.ts";
import { createFakePlugins, type FakePlugins, type FakePluginsOptions } from "./fake-plugins.ts";
import { createFixedSettings, noConnectionTests, noServices } from "./fixed-settings.ts";
import { createLocalRateLimiter } from "./local-rate-limiter.ts";

export const testOrigin = "http://localhost:3000";
export const testPassword = "correct-horse-battery";

/** Makes calls as one person, with a browser's headers and the session cookie when there is one; a form is sent as such. */
export type TestClient = {
  user: User | null;
  cookie: string | null;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
};

/** The whole app over a database of its own, with the outside world replaced: mail, clock, pages. */
export type TestHost = {
  app: AtriumApp;
  services: Services;
  db: Database;
  clock: TestClock;
  mails: Mail[];
  /** The plugins, which run in name only. */
  plugins: FakePlugins;
  logs: { level: string; message: string; fields: LogFields | undefined }[];
  /** Sends a request exactly as given, from a connection of `peer`. */
  request(path: string, init?: RequestInit, peer?: string): Promise<Response>;
  visitor(): TestClient;
  /** A new person with a session; email addresses are never used twice. */
  signedIn(role: Role): Promise<TestClient>;
  /** Makes writes fail as a full disk or a lost database would; `null` ends it. */
  obstruct(error: AppError | null): void;
  close(): Promise<void>;
};

const anyPage: PageServer = { respond: () => new Response("page", { status: 200 }) };

export type TestHostOptions = {
  /** An https origin shows how an installation with one behaves. */
  appUrl?: string;
  /** A cheap one, where thousands of calls are not about passwords. */
  hasher?: PasswordHasher;
  /** The pages; one that answers everything unless given. */
  pages?: PageServer;
  /** The identity providers, which may follow the settings; none unless given. */
  providers?: IdentityProviders | ((settings: SettingsService) => IdentityProviders);
  /** Those that the environment names; none unless given. */
  environmentProviders?: readonly EnvironmentProvider[];
  /** Where contact messages are emailed to; nowhere unless given. */
  contactEmail?: string | null;
  /** The settings; the defaults without the limit on calls unless given. `stored`: those of the database, live. */
  settings?: SettingsService | "stored";
  /** Redis as the environment names it, where settings are stored. */
  redisUrl?: string | null;
  /** Origins accepted as object storage besides Cloudflare's; none unless given. */
  s3Endpoints?: string[];
  /** How external services are tried; nothing can be reached unless given. */
  connectionTests?: ConnectionTests;
  /** The firewall; what plugins that run for real say, else none, unless given. */
  firewall?: FirewallProbe;
  /** What counts calls; this process's memory over the test's clock unless given. */
  rateLimiter?: RateLimiter;
  trustedProxies?: string[];
  /** Origins that are trusted besides the public one; none unless given. */
  corsOrigins?: string[];
  /** How plugins are dealt with, and which are part of Atrium; none unless given. */
  plugins?: FakePluginsOptions;
  /** What plugins add to the ways in, made once the services are there; nothing unless given. */
  entrance?: (services: Services) => PluginEntrance;
  /** What `/api/metrics` is answered with; nothing unless given. */
  metrics?: MetricsEndpoint;
  /** Whether assistants may come in; so unless given. */
  mcpEnabled?: boolean;
  /** Sees requests come and go. */
  observer?: CallObserver | null;
  /** Plugins that run for real, in the place of those: see {@link livePlugins}. */
  livePlugins?: (base: Omit<Services, "plugins">, firewall: OpenFirewallProbe) => Plugins;
};

/** Starts a host. Close it after the tests. */
export const createTestHost = async ({
  appUrl = testOrigin,
  hasher = createPasswordHasher(),
  pages = anyPage,
  providers = new Map(),
  environmentProviders = [],
  contactEmail = null,
  settings = createFixedSettings(),
  redisUrl = null,
  s3Endpoints = [],
  connectionTests = noConnectionTests,
  firewall,
  rateLimiter,
  trustedProxies = ["loopback"],
  corsOrigins = [],
  plugins: pluginOptions,
  entrance,
  metrics,
  mcpEnabled = true,
  observer = null,
  livePlugins,
}: TestHostOptions = {}): Promise<TestHost> => {
  const { db, close } = await openTestDatabase();
  const features = await loadFeatures();
  await refuseUnmigrated(db);
  const clock = createTestClock();
  const mails: Mail[] = [];
  const logs: TestHost["logs"] = [];
  let obstacle: AppError | null = null;
  let people = 0;
  const log = createTestLog(logs);
  const events = createMemoryEventBus(log);
  const writer = createActivityWriter({ db, clock, log, box: testSecrets, events });
  const happenings = createHappenings();
  const world = { db, clock, log, events, happenings, activity: writer.recorder, box: testSecrets };
  const fixed = settings === "stored" ? createFixedSettings() : settings;
  const live =
    settings === "stored" ? await createSettingsService({ ...world, redisUrl, s3Endpoints }) : null;
  const plugins = createFakePlugins({ db, clock }, pluginOptions);
  const ownFirewall = createFirewallProbe();
  const base: Omit<Services, "plugins"> = {
    ...plainServices({ ...world, settings: live?.service ?? fixed }),
    happenings,
    hasher,
    providers: typeof providers === "function" ? providers(live?.service ?? fixed) : providers,
    environmentProviders,
    firewall: firewall ?? ownFirewall,
    connectionTests,
    serviceStates: createServiceStates({ settings: live?.service ?? fixed, clock, used: noServices }),
    s3Endpoints,
    contactEmail,
    mail: {
      enqueue: async (_tx, mail) =>
        void mails.push(fillMail(mail, (live?.service ?? fixed).current.site, appUrl)),
      wake: () => {},
    },
    personalData: personalDataOf(features),
    beforeHooks: beforeHooksOf(features),
    featureSettings: featureSettingsOf(features),
    appUrl,
    passkeyHost: passkeyHost(appUrl),
  };
  const hosted = livePlugins?.(base, ownFirewall) ?? null;
  const services: Services = { ...base, plugins: hosted ?? plugins };
  const entered = entrance?.(services) ?? hosted?.entrance;
  hosted?.start();
  const app = createApp(
    {
      services,
      pages,
      writeObstacle: () => obstacle,
      rateLimiter: rateLimiter ?? createLocalRateLimiter(clock),
      allowedHosts: [],
      trustedProxies,
      corsOrigins,
      mcpEnabled,
      observer,
      ...(metrics === undefined ? {} : { metrics }),
      ...(entered === undefined ? {} : { plugins: entered }),
    },
    declareRoutes(features),
  );
  const check = createAnswerCheck(app.declared, () => entered?.describe() ?? {});
  const checkAnswer = async ({ method, url }: Request, response: Response): Promise<void> => {
    const { pathname: path, searchParams } = new URL(url);
    const route = app.routes.find(method, path) ?? entered?.routes.find(method, path) ?? null;
    if (route === null || "allow" in route) return;
    // A dry run is answered as every plan is, whatever the operation answers.
    const isPlan = searchParams.has(dryRunName) && response.ok;
    await check(isPlan ? { method: "POST", template: planPath(":operation") } : route, response);
  };
  const request: TestHost["request"] = async (path, init, peer = "127.0.0.1") => {
    const asked = new Request(`${appUrl}${path}`, init);
    if (!asked.headers.has("host")) asked.headers.set("host", new URL(appUrl).host);
    const response = await app.handle(asked, { via: "tcp", peer });
    await checkAnswer(asked, response);
    return response;
  };
  const knowing = createKnowingHasher(hasher);
  const client = (user: User | null, cookie: string | null): TestClient => ({
    user,
    cookie,
    call: (method, path, body, headers = {}) => {
      const own = {
        origin: new URL(appUrl).origin,
        "sec-fetch-site": "same-origin",
        ...(cookie && { cookie }),
      };
      return request(path, callOf(method, body, { ...own, ...headers }));
    },
  });
  return {
    app,
    services,
    db,
    clock,
    mails,
    plugins,
    logs,
    request,
    visitor: () => client(null, null),
    signedIn: async (role) => {
      people += 1;
      const call = { requestId: "test", ip: "127.0.0.1", userAgent: null };
      const email = `person-${people}-${crypto.randomUUID()}@example.test`;
      const making = { ...services, ...call, hasher: knowing };
      const operator = { ...making, actor: { kind: "operator" as const } };
      await createUser(operator, { name: `Person ${people}`, email, password: testPassword, role });
      const visitor = { ...making, actor: { kind: "visitor" as const } };
      const { user, token } = await login(visitor, { email, password: testPassword });
      return client(user, `${appUrl.startsWith("https:") ? "__Host-sid" : "sid"}=${token}`);
    },
    obstruct: (error) => {
      obstacle = error;
    },
    close: async () => {
      live?.stop();
      await hosted?.stop();
      app.stop();
      await close();
    },
  };
};

/** Calls over the control socket, as the operator of a host. */
export const operatorClient = ({ app }: TestHost): TestClient => ({
  user: null,
  cookie: null,
  call: async (method, path, body, headers = {}) =>
    app.handle(new Request(`http://localhost${path}`, callOf(method, body, headers)), { via: "socket" }),
});

/** A body is sent as JSON, a form as it is. */
const callOf = (method: string, body: unknown, headers: Record<string, string>): RequestInit => {
  if (body === undefined) return { method, headers };
  if (body instanceof FormData) return { method, headers, body };
  return { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
};

/** Computes the hash of {@link testPassword} once: people are made by the hundred, and each would cost two. */
const createKnowingHasher = (hasher: PasswordHasher): PasswordHasher => {
  let known: Promise<string> | undefined;
  return {
    hash: (password) => {
      if (password !== testPassword) return hasher.hash(password);
      known ??= hasher.hash(password);
      return known;
    },
    verify: async (password, hash) =>
      (password === testPassword && hash !== null && hash === (await known)) || hasher.verify(password, hash),
    isOutdated: hasher.isOutdated,
    get computed() {
      return hasher.computed;
    },
  };
};

const createTestLog = (logs: TestHost["logs"]): Log => {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    void logs.push({ level, message, fields });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), flush: () => {} };
};
