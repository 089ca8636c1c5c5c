import { describe, expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import { contactMessages, mails } from "#api/db/schema.ts";
import { readOwnName } from "#api/modules/storage/index.ts";
import { type NamedOperation, coreOperations as operations } from "#api/operations.ts";
import { coreMatrix } from "#api/testing/access-matrix.ts";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { bundledPlugin } from "#api/testing/bundled-plugin.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { workingConnectionTests } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { operatorClient, type TestClient, testPassword } from "#api/testing/host.ts";
import { idleBackup } from "#api/testing/idle-backups.ts";
import { newPerson } from "#api/testing/people.ts";
import { bundledName, type GoodWrite, packageForm, pluginSubjects } from "#api/testing/plugin-subjects.ts";
import { stayProven } from "#api/testing/stay-proven.ts";
import { operationIds, placeInput } from "#contract/create-client.ts";
import { hasPlan } from "#contract/operation.ts";
import { dryRunName, plannedEvents } from "#contract/plan.ts";

const path = "/api/admin/tokens";
const password = testPassword;
let tokens = 0;

/** What the operations by which admins change API tokens are called with; created again for each call. */
const tokenSubjects = (admin: () => TestClient): Record<string, () => Promise<object>> => {
  const wish = async () => {
    tokens += 1;
    return { name: `ci ${tokens}`, password };
  };
  const made = async () => {
    const answer = await admin().call("POST", path, { ...(await wish()), scopes: ["plugins:read"] });
    return { ...(await wish()), id: String((await answer.json()).data.id) };
  };
  return {
    tokens: made,
    "tokens.create": wish,
    "tokens.remove": async () => {
      const dead = await made();
      await admin().call("POST", `${path}/${dead.id}/revoke`, { password });
      return dead;
    },
  };
};

const host = await hostForFile({
  hasher: createCheapHasher(),
  connectionTests: workingConnectionTests,
  plugins: { bundled: [await bundledPlugin({ name: bundledName })] },
});
const admin = await host.signedIn("admin");
await stayProven(host, admin);
const user = await host.signedIn("user");
// Written at the first use of storage, whichever request that is.
await readOwnName(host.db, Bun.randomUUIDv7());
const newRows = createActivityReader(host.services);

const member = async () => ({ user: String((await host.signedIn("user")).user?.id) });

const disabledMember = async () => {
  const found = await member();
  expect((await admin.call("POST", `/api/admin/users/${found.user}/disable`)).status).toBe(200);
  return found;
};

const memberWithFactor = async () => {
  const client = await host.signedIn("user");
  await enableFactor(host, client);
  return { user: String(client.user?.id) };
};

const registered = async () => {
  const person = newPerson();
  expect((await host.visitor().call("POST", "/api/auth/register", person)).status).toBe(201);
  return { user: person.email };
};

const invited = async () => {
  const invitations = [{ email: newPerson().email }];
  const { data } = await (await admin.call("POST", "/api/admin/invitations", { invitations })).json();
  return { invitation: data.results[0].id };
};

const message = async () => {
  const id = Bun.randomUUIDv7();
  await host.db.insert(contactMessages).values({
    id,
    name: "Ada Example",
    email: "ada@example.test",
    subject: "Sales",
    message: "A text that the log does not repeat",
    ip: "203.0.113.1",
    idempotencyKey: id,
    contentHash: "hash",
    createdAt: host.clock.now(),
  });
  return { id };
};

const deadMail = async () => {
  const id = Bun.randomUUIDv7();
  await host.db.insert(mails).values({
    id,
    recipient: "ada@example.test",
    subject: "Your password was changed",
    content: new Uint8Array([1]),
    status: "dead",
    createdAt: host.clock.now(),
  });
  return { id };
};

let days = 100;
/** So that what the example sets is a change. */
const otherRetention = async (): Promise<object> => {
  days += 1;
  expect((await admin.call("PUT", "/api/admin/activity/retention", { days })).status).toBe(200);
  return {};
};

let maxRequests = 100;
let sites = 0;
let servers = 0;

const changedCore = (): GoodWrite => {
  maxRequests += 1;
  return { path: "/api/auth/settings/core", body: { rateLimiting: { maxRequests } } };
};

const changedAccounts = async (): Promise<GoodWrite> => {
  const path = "/api/auth/settings/accounts";
  const { data } = await (await admin.call("GET", path)).json();
  const verification = data.verification === "always-choose" ? "same-browser" : "always-choose";
  return { path, body: { verification } };
};

const changedSite = (): GoodWrite => {
  sites += 1;
  return { path: "/api/auth/settings/site", body: { name: `Site ${sites}` } };
};

const revertibleChange = async (): Promise<string> => {
  const { path, body } = changedCore();
  expect((await admin.call("PUT", path, body)).status).toBe(200);
  const history = await (await admin.call("GET", "/api/auth/settings/history?limit=1")).json();
  return String(history.data.changes[0].id);
};

let providers = 0;
const newProvider = async () => {
  providers += 1;
  return { provider: `provider${providers}`, issuer: `https://provider${providers}.example` };
};

const addedProvider = async () => {
  const { provider, issuer } = await newProvider();
  const about = { issuer, clientId: "atrium", clientSecret: "secret" };
  expect((await admin.call("PUT", `/api/auth/settings/providers/${provider}`, about)).status).toBe(200);
  return { provider };
};

/** What is called by an operation, or by all of a module: its input, as far as its example has such. Made anew for each call. */
const subjects: Record<string, () => Promise<object>> = {
  activity: otherRetention,
  backups: async () => ({ name: idleBackup }),
  contact: message,
  emailChanges: async () => ({ ...(await member()), email: newPerson().email }),
  invitations: invited,
  "invitations.create": async () => ({ invitations: [{ email: newPerson().email }] }),
  mail: deadMail,
  providers: addedProvider,
  "providers.set": newProvider,
  settings: async () => ({ id: await revertibleChange() }),
  ...pluginSubjects(() => admin),
  ...tokenSubjects(() => admin),
  users: member,
  "users.create": async () => newPerson(),
  "users.enable": disabledMember,
  "users.resetSecondFactor": memberWithFactor,
  "users.verifyPending": registered,
  "users.removePending": registered,
};

const isWrite = ({ operation: { access, endpoint } }: NamedOperation) =>
  access === "admin" && !endpoint.startsWith("GET ");
const writing = operations.filter(isWrite);

const goodWriteOf = (id: string, module: string) => async (): Promise<GoodWrite> => {
  const known = operationIds.find((one) => one === id);
  const { example = {} } = operations.find((one) => one.id === id)?.operation ?? {};
  const subject = await (subjects[id] ?? subjects[module])?.();
  if (known === undefined || subject === undefined) throw new Error(`${id} has no subject here`);
  const meant = Object.entries(subject).filter(([name]) => name in example);
  const { target, body } = placeInput(known, { ...example, ...Object.fromEntries(meant) });
  return { path: target, body };
};

/** How each route by which admins change something is called well; made anew for each call. */
const goodWrites: Record<string, () => Promise<GoodWrite>> = {
  ...Object.fromEntries(
    writing.map(({ operation, id, module }) => [operation.endpoint, goodWriteOf(id, module)]),
  ),
  "PUT /api/auth/settings/credentials": async () => {
    servers += 1;
    const redis = { endpoint: `redis://redis-${servers}.example`, password: `password-${servers}` };
    return { path: "/api/auth/settings/credentials", body: { redis } };
  },
  "PUT /api/auth/settings/accounts": async () => changedAccounts(),
  "PUT /api/auth/settings/core": async () => changedCore(),
  "PUT /api/auth/settings/site": async () => changedSite(),
  "POST /api/plugins/upload": async () => ({ path: "/api/plugins/upload", body: await packageForm() }),
};

/** Calls that only look, though what they look at has to be sent. */
const lookingOnly = ["POST /api/plugins/inspect", "POST /api/plan/:operation", "POST /mcp"];

/** Those that change nothing when they are called a second time, though they succeed. */
const idempotent = writing.flatMap(({ operation }) => (operation.isRepeatable ? [operation.endpoint] : []));

// From the table of those who may call what: that it has every route is tested beside it.
const writes = Object.entries(coreMatrix).flatMap(([name, row]) => {
  const [method = ""] = name.split(" ");
  // What the operator alone may call is tested with its module.
  const isForAdmins = row.statuses.user === 403 && row.statuses.admin !== 403;
  return isForAdmins && method !== "GET" && !lookingOnly.includes(name) ? [{ name, method, row }] : [];
});

const goodWrite = async (name: string): Promise<GoodWrite> => {
  const make = goodWrites[name];
  if (!make) throw new Error(`${name} has no good call here`);
  const good = await make();
  // Repeats of what led here are no repeats of the call.
  host.clock.advance(61_000);
  await newRows();
  return good;
};

/** The operations with a dry run; where no admin may call, only the operator does. */
const planned = operations.flatMap(({ id, operation }) => {
  const [method = ""] = operation.endpoint.split(" ");
  const isPlanned = hasPlan(operation);
  return isPlanned && operation.access === "admin" ? [{ id, name: operation.endpoint, method }] : [];
});

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What is made anew each time has another id each time. */
const withoutIds = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(uuid, "id"));

/** What the tables hold once nothing is on its way to them any more. */
const calmPrints = async (): Promise<string[]> => {
  const prints = await fingerprintOf(host.db);
  return Bun.deepEquals(prints, await fingerprintOf(host.db)) ? prints : calmPrints();
};

const changeIn = ({ action, description, changes }: LoggedActivity) => ({
  ...{ action, description, before: null, after: null },
  ...JSON.parse(changes ?? "{}"),
});

describe.each(planned)("the dry run of $id", ({ name, method }) => {
  test("leaves every table, email and event alone, and tells what the call then does", async () => {
    const { path, body } = await goodWrite(name);
    const published: string[] = [];
    const changes = plannedEvents.filter((type) => type !== "activity-recorded");
    const stop = host.services.events.subscribe(
      Object.fromEntries(changes.map((type) => [type, () => published.push(type)])),
    );
    const [before, sent] = [await calmPrints(), host.mails.length];
    const mark = path.includes("?") ? "&" : "?";
    // The operator has no session, which would note that it was used.
    const answer = await operatorClient(host).call(method, `${path}${mark}${dryRunName}=true`, body);
    const { data: plan } = await answer.json();
    expect([answer.status, published, host.mails.length]).toEqual([200, [], sent]);
    expect(await fingerprintOf(host.db)).toEqual(before);
    expect(plan.summary).toMatch(/^Would /);
    expect((await admin.call(method, path, body)).ok).toBe(true);
    stop();
    const done = {
      changes: (await newRows()).map(changeIn),
      mails: host.mails.slice(sent).map(({ to, subject }) => ({ to, subject })),
      events: published,
    };
    expect(withoutIds(plan)).toEqual(withoutIds({ ...done, summary: plan.summary }));
  });
});

test("every call by which admins change something is known here, and no other", () => {
  expect(writes.map(({ name }) => name).sort()).toEqual(Object.keys(goodWrites).sort());
});

describe.each(writes)("L4: $name", ({ name, method, row }) => {
  test("leaves exactly one row: who, when, from where, in which request, with which outcome", async () => {
    const { path, body } = await goodWrite(name);
    const answer = await admin.call(method, path, body, { "user-agent": "Browser/1.0" });
    expect(answer.ok).toBe(true);
    const rows = await newRows();
    expect(rows).toHaveLength(1);
    expect(rows).toMatchObject([
      {
        status: "success",
        actorKind: "user",
        userId: admin.user?.id,
        userEmail: admin.user?.email,
        ip: "127.0.0.1",
        userAgent: "Browser/1.0",
        requestId: answer.headers.get("x-request-id"),
        occurredAt: host.clock.now(),
        occurrences: 1,
      },
    ]);
    expect(String(rows[0]?.type)).toMatch(/^(?:admin_action|configuration_changed|plugin_[a-z_]+)$/);
    expect(rows[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  test("leaves one by the operator too", async () => {
    const { path, body } = await goodWrite(name);
    expect((await operatorClient(host).call(method, path, body)).ok).toBe(true);
    const rows = await newRows();
    expect(rows).toHaveLength(1);
    expect(rows).toMatchObject([{ status: "success", actorKind: "operator", userId: null, ip: "local" }]);
  });

  test("changes nothing when the record of it cannot be stored", async () => {
    const { path, body } = await goodWrite(name);
    const { activity } = host.services;
    const { record } = activity;
    activity.record = async () => {
      throw new AppError("DB_UNAVAILABLE");
    };
    try {
      const before = await contentsOf(host.db);
      expect((await operatorClient(host).call(method, path, body)).status).toBe(503);
      expect(await contentsOf(host.db)).toEqual(before);
    } finally {
      activity.record = record;
    }
    expect((await newRows()).filter(({ status }) => status === "success")).toEqual([]);
  });

  test("C2: cannot be triggered from another site, and the attempt is recorded", async () => {
    const { path, body } = await goodWrite(name);
    const forged = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const before = await contentsOf(host.db);
    const answer = await admin.call(method, path, body, forged);
    expect([answer.status, (await answer.json()).code]).toEqual([403, "CROSS_ORIGIN"]);
    expect(await contentsOf(host.db)).toEqual(before);
    expect(await newRows()).toMatchObject([
      { type: "permission_violation", status: "failure", severity: "high" },
    ]);
  });

  test("leaves nothing but a note of the failure when it is refused", async () => {
    const { path, body } = await goodWrite(name);
    expect((await user.call(method, path, body)).status).toBe(403);
    expect(await newRows()).toMatchObject([{ type: "permission_violation", status: "failure" }]);
    expect((await host.visitor().call(method, path, body)).status).toBe(401);
    expect(await newRows()).toMatchObject([{ type: "permission_violation", status: "failure" }]);
    const answer = await admin.call(method, row.path, row.body);
    const rows = await newRows();
    expect(answer.ok ? [] : rows.filter(({ status }) => status !== "failure")).toEqual([]);
    expect(rows.length).toBeLessThanOrEqual(1);
  });
});

describe("nothing is recorded where nothing was changed:", () => {
  test.each(idempotent)("%s a second time", async (name) => {
    const [method = ""] = name.split(" ");
    const { path, body } = await goodWrite(name);
    for (const rows of [1, 0]) {
      expect((await admin.call(method, path, body)).ok).toBe(true);
      host.clock.advance(61_000);
      expect(await newRows()).toHaveLength(rows);
    }
  });
});
