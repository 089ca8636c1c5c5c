import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { ConnectionReport } from "#api/core/settings.ts";
import { mails } from "#api/db/schema.ts";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";

let host: TestHost;
let admin: TestClient;
let newRows: () => Promise<LoggedActivity[]>;
beforeAll(async () => {
  host = await createTestHost({ hasher: createCheapHasher() });
  admin = await host.signedIn("admin");
  newRows = createActivityReader(host.services);
});
afterAll(() => host.close());

const refusal = async (body: unknown) => {
  const before = withoutLog(await contentsOf(host.db));
  const answer = await admin.call("POST", path, body);
  expect(withoutLog(await contentsOf(host.db))).toEqual(before);
  return { status: answer.status, ...(await answer.json()) };
};
const path = "/api/auth/settings/test-mail";

describe("a test mail", () => {
  const steps = [{ name: "Delivery", status: "passed", message: "taken" }] as const;
  const working: ConnectionReport = { isWorking: true, summary: "Accepted", details: "", steps: [...steps] };
  let tested: { to: string; text: string }[] = [];
  let report = async (): Promise<ConnectionReport> => working;
  beforeAll(() => {
    host.services.outbox.test = (mail) => {
      tested.push(mail);
      return report();
    };
  });
  afterEach(() => {
    tested = [];
    report = async () => working;
  });

  test("goes to the admin who asks, or to whom they name, and each leaves one row", async () => {
    await newRows();
    for (const [body, to] of [
      [{}, admin.user?.email],
      [{ to: "" }, admin.user?.email],
      [{ to: " bob@example.test " }, "bob@example.test"],
    ] as const) {
      const answer = await (await admin.call("POST", path, body)).json();
      expect(answer.data.testResult).toMatchObject({ title: "Mail Test Successful", severity: "success" });
      expect(tested.at(-1)?.to).toBe(to);
    }
    expect(await newRows()).toMatchObject(
      Array(3).fill({ action: "Tested sending mails", status: "success" }),
    );
    expect(await host.db.select().from(mails)).toEqual([]);
  });

  test("that does not work answers 422 with what was found, and is recorded as a failure", async () => {
    await newRows();
    report = async () => ({ ...working, isWorking: false, summary: "mail.example:25 refuses connections" });
    expect(await refusal({})).toMatchObject({
      status: 422,
      code: "TEST_FAILED",
      message: "mail.example:25 refuses connections",
      data: { testResult: { title: "Mail Test Failed", severity: "error" } },
    });
    expect(await newRows()).toMatchObject([{ action: "Tested sending mails", status: "failure" }]);
  });

  test("E4: is not sent to what is not one address", async () => {
    for (const to of ["nobody", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example", 1])
      expect(await refusal({ to })).toMatchObject({ status: 422, errors: [{ path: "to" }] });
    expect(tested).toEqual([]);
  });

  test("by the operator needs an address", async () => {
    const ask = (body: object) => {
      const headers = { "content-type": "application/json" };
      const request = new Request(`http://localhost${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return host.app.handle(request, { via: "socket" });
    };
    const refused = await ask({});
    expect([refused.status, (await refused.json()).errors[0].path]).toEqual([422, "to"]);
    expect((await ask({ to: "ada@example.test" })).status).toBe(200);
  });

  test("is one at a time for each admin", async () => {
    const { promise, resolve } = Promise.withResolvers<ConnectionReport>();
    const begun = Promise.withResolvers<void>();
    report = () => {
      begun.resolve();
      return promise;
    };
    const first = admin.call("POST", path, {});
    await begun.promise;
    const second = await admin.call("POST", path, {});
    expect([second.status, (await second.json()).code]).toEqual([409, "CONFLICT"]);
    resolve(working);
    expect((await first).status).toBe(200);
  });
});
