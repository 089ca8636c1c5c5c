import { desc, inArray } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import {
  apiTokens,
  contactMessages,
  mails,
  pendingRegistrations,
  settingChanges,
  users,
} from "#api/db/schema.ts";
import type { Entrance } from "#api/door/exchange.ts";
import { type NamedOperation, ownOperations } from "#api/operations.ts";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { allows, type TokenScope, tokenScopes } from "#contract/api-tokens.ts";
import { allPatterns } from "#plugins/firewall/backend/engine/patterns/all-patterns.ts";
import type { DescribedCall, Rows } from "./document-calls.ts";
import { fuzzPluginName } from "./fuzz-plugin.ts";
import { canary, goodCallOf } from "./good-calls.ts";
import { type TestClient, type TestHost, testOrigin, testPassword } from "./host.ts";
import { idleBackup } from "./idle-backups.ts";
import { newPerson } from "./people.ts";
import { packPlugin } from "./plugin-package.ts";
import { newTokenClient } from "./token-client.ts";

/** Who calls: what goes with each of their calls, and by which way they come. */
export type Caller = {
  name: string;
  /** By which schemes of the document they are known, with what they are there: `token *`. */
  may: readonly string[];
  cookie: string | null;
  headers: Record<string, string>;
  isOperator?: true;
};

/** An installation for calls at random: who makes them, what they may change, and what no answer may hold. */
export type FuzzWorld = {
  callers: readonly [Caller, ...Caller[]];
  rows: Rows;
  file: Uint8Array;
  /** Of those who have an account. */
  emails: readonly [string, ...string[]];
  secrets: readonly string[];
};

/** Someone who signed in just now, for calls after which they may no longer be. */
export const newCaller = async (host: TestHost, role: "user" | "admin"): Promise<Caller> => {
  const { cookie } = await host.signedIn(role);
  return role === "admin"
    ? { name: "admin", may: ["session", "session admin"], cookie, headers: {} }
    : { name: "member", may: ["session"], cookie, headers: {} };
};

/**
 * Makes one in a host, with rows that no one needs any longer: each of these may be changed and deleted. Those of the
 * world before stay as the calls have left them.
 */
export const createFuzzWorld = async (host: TestHost): Promise<FuzzWorld> => {
  // An installation has room for a hundred that live.
  await host.db.delete(apiTokens);
  const clients = await Promise.all(
    tokenScopes.map(async (scope) => ({ scope, client: await newTokenClient(host, { scopes: [scope] }) })),
  );
  const people = [await newCaller(host, "user"), await newCaller(host, "admin")];
  const file = await packPlugin({ manifest: { settings: { schema: settingsSchema } } });
  const rows = {
    ...(await createRows(host, file)),
    ...(await createSessions(host, people)),
    ...(await createOwnRows(host, people)),
  };
  const members = await host.db.select({ email: users.email }).from(users).limit(20);
  const secrets = [
    ...[canary, testPassword, mailed],
    ...people.flatMap(({ cookie }) => cookie?.split("=")[1] ?? []),
    ...clients.map(({ client }) => client.made.token),
    ...clients.map(({ client }) => hashToken(client.made.token)),
    ...people.map(({ cookie }) => hashToken(cookie?.split("=")[1] ?? "")),
    // What a password is hashed to, whoever's it is.
    "cheap$",
  ];
  return {
    callers: [
      { name: "anonymous", may: [], cookie: null, headers: {} },
      ...people,
      { name: "operator", may: ["operator"], cookie: null, headers: {}, isOperator: true },
      ...clients.map(({ scope, client }) => tokenCaller(scope, client.made.token)),
      { name: "no token of ours", may: [], cookie: null, headers: { authorization: "Bearer atr_x" } },
    ],
    rows,
    file,
    emails: some(members.map(({ email }) => email)),
    secrets,
  };
};

/** Whether the document says that someone may make a call. */
export const mayCall = ({ may }: Caller, { security }: DescribedCall): boolean =>
  security.length === 0 ||
  security.some((way) =>
    Object.entries(way).every(([scheme, needs]) => may.includes([scheme, ...needs].join(" "))),
  );

const tokenCaller = (scope: TokenScope, token: string): Caller => ({
  name: `token ${scope}`,
  may: [
    "token",
    ...tokenScopes.filter((needed) => allows([scope], needed)).map((needed) => `token ${needed}`),
  ],
  cookie: null,
  headers: { authorization: `Bearer ${token}` },
});

/** The way by which a caller comes, from one of many addresses: what is bounded by address must not end all calls. */
export const entranceOf = ({ isOperator }: Caller, number: number): Entrance =>
  isOperator ? { via: "socket" } : { via: "tcp", peer: `10.0.${number % 250}.1` };

const count = 6;

const settingsSchema = { type: "object", properties: { greeting: { type: "string", maxLength: 80 } } };

/** Sessions in other browsers of those who call. */
const createSessions = async (host: TestHost, people: readonly Caller[]): Promise<Rows> => {
  const ids: string[] = [];
  for (const { cookie } of people) {
    const headers = { cookie: cookie ?? "" };
    const user = Object(await (await host.request("/api/auth/user", { headers })).json());
    for (let at = 0; at < 2; at += 1)
      await host.visitor().call("POST", "/api/auth/login", { email: user.email, password: testPassword });
    const { data } = Object(await (await host.request("/api/account/sessions", { headers })).json());
    for (const { id, isCurrent } of data.sessions) if (!isCurrent) ids.push(id);
  }
  return { "/api/account/sessions/": some(ids) };
};

/** What can be created in own features, by those who call; of each feature the ids. */
const createOwnRows = async (host: TestHost, people: readonly Caller[]): Promise<Rows> => {
  const rows: Rows = {};
  for (const { module, id } of ownOperations.filter(isCreation)) {
    const ids: string[] = [];
    const { path, body } = goodCallOf(id);
    for (const { cookie } of people)
      for (let at = 0; at < count; at += 1) {
        const headers = { cookie: cookie ?? "", origin: testOrigin, "content-type": "application/json" };
        const answer = await host.request(path, { method: "POST", headers, body: JSON.stringify(body) });
        ids.push(Object(Object(await answer.json()).data).id);
      }
    for (const other of ownOperations.filter((each) => each.module === module)) {
      const [, beginning] = /^\w+ ([^:]+):/.exec(other.operation.endpoint) ?? [];
      if (beginning !== undefined) rows[beginning] = some(ids);
    }
  }
  return rows;
};

const isCreation = ({ operation: { endpoint, status } }: NamedOperation): boolean =>
  status === 201 && !endpoint.includes(":");

/** What links in mails end with. */
const mailed = "M4iled-0_token".repeat(4).slice(0, 43);

const createRows = async (host: TestHost, file: Uint8Array): Promise<Rows> => {
  const each = <Made>(make: (at: number) => Promise<Made>): Promise<Made[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => make(at)));
  const visitor = host.visitor();
  const people = await each(async () => (await host.signedIn("user")).user);
  const made = await each(() => newTokenClient(host, { scopes: ["users:read"] }));
  for (let at = 0; at < 2; at += 1) await each(() => visitor.call("POST", "/api/auth/register", newPerson()));
  await each((at) =>
    visitor.call("POST", "/api/contact", {
      ...newPerson(),
      password: undefined,
      subject: "Sales",
      message: `${at}`,
    }),
  );
  const stored = (["waiting", "sent", "dead", "dead", "dead"] as const).map((status) => ({
    id: crypto.randomUUID(),
    recipient: "ada@example.test",
    subject: "Hello",
    content: new Uint8Array([1]),
    status,
  }));
  await host.db.insert(mails).values(stored);
  const form = new FormData();
  form.set("plugin", new File([new Uint8Array(file)], "visitor-notes.zip", { type: "application/zip" }));
  const admin = await host.signedIn("admin");
  await admin.call("POST", "/api/plugins/upload?allowDowngrade=true", form);
  await admin.call("PUT", "/api/plugin-template/notes/first", { text: "Hello" });
  const keys = await each(() => addKey(admin));
  const providers = await each((at) => addProvider(admin, at));
  const invitations = Array.from({ length: count }, () => ({ email: newPerson().email }));
  const invited = await (await admin.call("POST", "/api/admin/invitations", { invitations })).json();
  const messages = await host.db.select({ id: contactMessages.id }).from(contactMessages).limit(20);
  const pending = await host.db
    .select({ email: pendingRegistrations.email })
    .from(pendingRegistrations)
    .limit(20);
  const members = await host.db.select({ id: users.id, role: users.role }).from(users).limit(50);
  // Every other one is over: those can be removed, and the others changed.
  const over = made.filter((_, at) => at % 2 === 0).map(({ made: { id } }) => id);
  await host.db.update(apiTokens).set({ revokedAt: host.clock.now() }).where(inArray(apiTokens.id, over));
  for (let at = 0; at < 3; at += 1)
    await admin.call("PUT", "/api/auth/settings/core", {
      rateLimiting: { message: `Later, please: ${crypto.randomUUID()}` },
    });
  const changes = await host.db
    .select({ id: settingChanges.id })
    .from(settingChanges)
    .orderBy(desc(settingChanges.id))
    .limit(3);
  return {
    "/api/admin/users/": some(people.flatMap((user) => (user ? [user.email, user.id] : []))),
    "/api/admin/pending-users/": some(pending.map(({ email }) => email)),
    "/api/admin/contact/": some(messages.map(({ id }) => id)),
    "/api/admin/mails/": some(stored.map(({ id }) => id)),
    "/api/admin/tokens/": some(made.map(({ made: { id } }) => id)),
    "/api/admin/activity/": ["1", "2", "3", String(members.length)],
    "/api/auth/settings/history/": some(changes.map(({ id }) => String(id))),
    "/api/auth/settings/providers/": some(providers),
    "/api/account/connections/": ["google", "github"],
    "/api/plugins/": ["visitor-notes"],
    "/versions/": ["1.0.0"],
    "/api/auth/verify-email/": [mailed],
    "/api/auth/reset-password/": [mailed],
    "/api/auth/setup/": [mailed],
    "/api/auth/invitations/": [mailed],
    "/api/auth/passkey/ceremony/": [mailed],
    "/api/auth/email-change/": [mailed],
    "/api/auth/unlink-provider/": [mailed],
    "/api/admin/invitations/": some(invited.data.results.map(({ id }: { id: string }) => id)),
    "/api/admin/backups/": ["folder"],
    "/api/admin/backups/{place}/": [idleBackup],
    "/api/plugin-host/": ["react.js"],
    "/api/admin/plugin-keys/": some(keys),
    [`/api/${fuzzPluginName}/notes/`]: ["first"],
    "/api/plugin-template/notes/": ["first", "-1", "a".repeat(300)],
    "/api/web-performance-optimization/switches/": ["compression", "prefetch"],
    "/api/firewall/patterns/": some(allPatterns.map(({ id }) => String(id))),
  };
};

/** Has a publisher's key trusted; resolves to its id. */
const addKey = async (admin: TestClient): Promise<string> => {
  const { publicKey, keyId } = generateKey();
  await admin.call("POST", "/api/admin/plugin-keys", { publicKey, label: "Example Plugins" });
  return keyId;
};

/** Adds a sign-in provider; resolves to its id. */
const addProvider = async (admin: TestClient, at: number): Promise<string> => {
  const [id, issuer] = [`provider${at}`, `https://${at}.id.example`];
  const about = { issuer, clientId: "atrium", clientSecret: "secret-of-the-client" };
  await admin.call("PUT", `/api/auth/settings/providers/${id}`, about);
  return id;
};

const some = (values: readonly string[]): [string, ...string[]] => [values[0] ?? "none", ...values.slice(1)];
