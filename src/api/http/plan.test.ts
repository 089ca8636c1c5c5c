import { beforeEach, describe, expect, test } from "bun:test";
import { contactMessages } from "#api/db/schema.ts";
import { tokensOperations } from "#api/modules/tokens/operations.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { operatorClient, testPassword } from "#api/testing/host.ts";
import { callTool } from "#api/testing/mcp-message.ts";
import { stayProven } from "#api/testing/stay-proven.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { limits } from "#contract/limits.ts";
import { makePlan } from "./mount-operations.ts";

let id: string;
const host = await hostForFile({ hasher: createCheapHasher(), contactEmail: "desk@example.test" });
const [admin, user] = [await host.signedIn("admin"), await host.signedIn("user")];
await stayProven(host, admin);
const tokens = {
  all: await newTokenClient(host, { name: "all" }),
  reading: await newTokenClient(host, { name: "reading", scopes: ["users:read"] }),
};
const newRows = createActivityReader(host.services);
beforeEach(async () => {
  id = Bun.randomUUIDv7();
  await host.db.insert(contactMessages).values({
    ...{ id, name: "Ada", email: "ada@example.test", subject: "Sales", message: "Hello", ip: "203.0.113.1" },
    ...{ idempotencyKey: id, contentHash: "hash", createdAt: host.clock.now() },
  });
  host.clock.advance(61_000);
  // Sessions and tokens note when they were last used.
  await Promise.all([
    ...[admin, user].map((client) => client.call("GET", "/api/auth/user")),
    ...[tokens.all, tokens.reading].map((client) => client.call("GET", "/api/system/info")),
  ]);
  await newRows();
});

const planned = {
  success: true,
  data: {
    changes: [
      {
        action: "Deleted a contact message",
        description: "Sales message of ada@example.test",
        before: null,
        after: null,
      },
    ],
    ...{ mails: [], events: [] },
    summary: "Would delete the Sales message of ada@example.test permanently",
  },
};

const unchanged = async <T>(work: () => Promise<T>): Promise<T> => {
  const before = await fingerprintOf(host.db);
  const result = await work();
  expect(await fingerprintOf(host.db)).toEqual(before);
  return result;
};
const answerTo = async (response: Promise<Response>) => {
  const { status, body } = await response.then(async (done) => ({
    status: done.status,
    body: await done.json(),
  }));
  return [status, body.code ?? body];
};

describe("a plan", () => {
  test("is told by its own path and by the call itself, and changes nothing", async () => {
    await unchanged(async () => {
      expect(await answerTo(admin.call("POST", "/api/plan/contact.remove", { id }))).toEqual([200, planned]);
      // However it is written: a call that was meant as a question must not be carried out.
      for (const query of ["dryRun=true", "dry%52un=true", "%64ryRun=%74rue", "&dryRun=true"])
        expect(await answerTo(admin.call("DELETE", `/api/admin/contact/${id}?${query}`))).toEqual([
          ...[200, planned],
        ]);
    });
    expect(await newRows()).toEqual([]);
  });

  test("takes the parts of a request in one object, and says before and after", async () => {
    const input = { id, handled: true };
    const [, body] = await unchanged(() => answerTo(admin.call("POST", "/api/plan/contact.update", input)));
    expect(body.data).toMatchObject({
      changes: [{ before: { handled: false }, after: { handled: true } }],
      summary: "Would mark the message from Ada <ada@example.test> as handled",
    });
    const path = `/api/admin/contact/${id}?dryRun=true`;
    expect((await answerTo(admin.call("PUT", path, { handled: true })))[1]).toEqual(body);
  });

  test("of what is so already says that nothing would change", async () => {
    const [, body] = await answerTo(admin.call("POST", "/api/plan/contact.update", { id, handled: false }));
    expect(body.data).toMatchObject({ changes: [], summary: "Would change nothing" });
  });

  test("is refused as the call itself would be", async () => {
    const nobody = Bun.randomUUIDv7();
    const cases = [
      [host.visitor(), "contact.remove", { id }, 401, "NOT_SIGNED_IN"],
      [user, "contact.remove", { id }, 403, "FORBIDDEN"],
      [tokens.reading, "contact.remove", { id }, 403, "FORBIDDEN"],
      [admin, "contact.remove", { id: nobody }, 404, "NOT_FOUND"],
      [admin, "contact.remove", {}, 422, "VALIDATION_FAILED"],
      [admin, "contact.remove", { id: [id] }, 422, "VALIDATION_FAILED"],
      [admin, "contact.remove", { id: null }, 422, "VALIDATION_FAILED"],
      [admin, "contact.remove", { id, more: 1 }, 422, "VALIDATION_FAILED"],
      [admin, "contact.remove", { id: "../mails/retry" }, 404, "NOT_FOUND"],
      [admin, "contact.update", { id, handled: "yes" }, 422, "VALIDATION_FAILED"],
      [admin, "contact.update", { id, handled: true, more: 1 }, 422, "VALIDATION_FAILED"],
      [admin, "contact.remove", [], 400, "BAD_REQUEST"],
    ] as const;
    for (const [who, operation, input, status, code] of cases)
      expect([
        operation,
        input,
        ...(await answerTo(who.call("POST", `/api/plan/${operation}`, input))),
      ]).toEqual([...[operation, input, status, code]]);
    const foreign = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
    expect(await answerTo(admin.call("POST", "/api/plan/contact.remove", { id }, foreign))).toEqual([
      ...[403, "CROSS_ORIGIN"],
    ]);
  });

  test("takes no password, which could be guessed without a trace, and tells no token", async () => {
    const wish = { name: "ci", scopes: ["plugins:read"] };
    const fresh = await answerTo(admin.call("POST", "/api/plan/tokens.create", wish));
    expect(fresh).toMatchObject([200, { data: { summary: "Would create the token ci for plugins:read" } }]);
    expect(JSON.stringify(fresh)).not.toContain("atrium_");
    const stale = await host.signedIn("admin");
    host.clock.advance(limits.freshSessionMs);
    expect(await answerTo(stale.call("POST", "/api/plan/tokens.create"))).toMatchObject([
      ...[403, "REAUTHENTICATION_REQUIRED"],
    ]);
    for (const password of [testPassword, "wrong"])
      expect(
        await answerTo(stale.call("POST", "/api/plan/tokens.create", { ...wish, password })),
      ).toMatchObject([403, "REAUTHENTICATION_REQUIRED"]);
  });

  test("is only for changes by admins: operations open to everyone have none", async () => {
    const message = { name: "Ada", email: "ada@example.test", subject: "Sales", message: "Hello" };
    await unchanged(async () => {
      for (const name of ["contact.send", "contact.list", "none"])
        expect(await answerTo(admin.call("POST", `/api/plan/${name}`, message))).toEqual([404, "NOT_FOUND"]);
      const sent = host.visitor().call("POST", "/api/contact?dryRun=true", message);
      expect(await answerTo(sent)).toEqual([422, "VALIDATION_FAILED"]);
    });
    expect(host.mails).toEqual([]);
  });

  test("is told to API tokens by their scopes, and to the operator", async () => {
    expect(await answerTo(tokens.all.call("POST", "/api/plan/contact.remove", { id }))).toEqual([
      200,
      planned,
    ]);
    const answer = await operatorClient(host).call("POST", "/api/plan/contact.remove", { id });
    expect([answer.status, await answer.json()]).toEqual([200, planned]);
    expect(await newRows()).toEqual([]);
  });

  test("is told to assistants by the name of a tool, without a confirmation", async () => {
    const row = host.db.select().from(contactMessages);
    const before = await row;
    const plan = (tool: string, input: object) =>
      callTool(tokens.all, "plan_change", { tool, arguments: input });
    const disable = await plan("list_users", {});
    expect([disable.isError, disable.data.code]).toEqual([true, "VALIDATION_FAILED"]);
    expect(await row).toEqual(before);
  });
});

describe("what changes something refuses a query that it does not know", () => {
  const misspelt = ["dryrun=true", "dryRun=yes", "dryRun=true&dryRun=true", "dry=1"];
  test.each(misspelt)("%s", async (query) => {
    const path = `/api/admin/contact/${id}?${query}`;
    expect(await answerTo(unchanged(() => admin.call("DELETE", path)))).toEqual([422, "VALIDATION_FAILED"]);
    const created = admin.call("POST", `/api/admin/users?${query}`, {});
    expect(await answerTo(created)).toEqual([422, "VALIDATION_FAILED"]);
  });

  test("while addresses that browsers are led to may hold anything", async () => {
    const left = await (await host.signedIn("user")).call("GET", "/api/auth/logout?from=mail");
    expect(left.status).toBeLessThan(400);
    const back = await host.visitor().call("GET", "/api/auth/google/callback?state=1&hd=example.test");
    expect(back.status).toBe(302);
  });
});

test("a plan tells nothing of what its operation conceals", async () => {
  const database = await openTestDatabase();
  const [create] = tokensOperations.filter(({ id }) => id === "tokens.create");
  if (create === undefined) throw new Error("there is no such operation");
  const recorded = [
    { type: "admin_action", action: "Created", after: { name: "ci", scopes: ["plugins:read"] } } as const,
  ];
  const concealing = { ...create, operation: { ...create.operation, conceals: ["scopes"] } };
  const plan = await makePlan(
    { ...concealing, plan: async () => ({ summary: "Would create it", recorded }) },
    testContext({ db: database.db }),
    {},
  );
  expect(plan.changes).toMatchObject([{ after: { name: "ci" } }]);
  expect(JSON.stringify(plan)).not.toContain("plugins:read");
  await database.close();
});

test("a plan of an operation's own has the time of a dry run, no more", async () => {
  const database = await openTestDatabase();
  const [create] = tokensOperations;
  if (create === undefined) throw new Error("there is no such operation");
  const never = { ...create, plan: () => new Promise<never>(() => {}) };
  expect(await failureOf(makePlan(never, testContext({ db: database.db }), {}))).toMatchObject({
    kind: "BUSY",
  });
  await database.close();
});
