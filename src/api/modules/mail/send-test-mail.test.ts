import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { ConnectionReport } from "#api/core/settings.ts";
import { mails } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { operatorClient } from "#api/testing/host.ts";
import { limits } from "#contract/limits.ts";
import { mailTexts } from "#contract/mail.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
const newRows = createActivityReader(host.services);

const refusal = async (body: unknown) => {
  const before = await contents();
  const answer = await admin.call("POST", path, body);
  expect(await contents()).toEqual(before);
  return { status: answer.status, ...(await answer.json()) };
};
/** All rows but those of the log, without when a session was last used, which is recorded in the background. */
const contents = async () =>
  withoutLog(await contentsOf(host.db)).map((row) =>
    row.replace(/"(?:lastUsedAt|lastSeenAt|expiresAt)":"[^"]*"/g, ""),
  );
const path = "/api/auth/settings/test-mail";

describe("a test email", () => {
  const steps = [{ name: "Delivery", status: "passed", message: "taken" }] as const;
  const working: ConnectionReport = { isWorking: true, summary: "Accepted", details: "", steps: [...steps] };
  let tested: { to: string; text: string }[] = [];
  let report = async (): Promise<ConnectionReport> => working;
  const pass = (ms: number): void => host.clock.advance(ms);
  beforeAll(() => {
    host.services.outbox.test = (mail) => {
      tested.push(mail);
      return report();
    };
  });
  afterEach(() => {
    tested = [];
    pass(limits.testMailsWindowMs);
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
      expect(answer.data.testResult).toMatchObject({ title: "Email Test Successful", severity: "success" });
      expect(tested.at(-1)?.to).toBe(to);
      pass(limits.testMailPauseMs);
    }
    expect(await newRows()).toMatchObject(
      Array(3).fill({ action: "Tested sending emails", status: "success" }),
    );
    expect(await host.db.select().from(mails)).toEqual([]);
  });

  test("that does not work answers 422 with what was found, and is recorded as a failure", async () => {
    await newRows();
    report = async () => ({ ...working, isWorking: false, summary: "smtp.example:25 refuses connections" });
    expect(await refusal({})).toMatchObject({
      status: 422,
      code: "TEST_FAILED",
      message: "smtp.example:25 refuses connections",
      data: { testResult: { title: "Email Test Failed", severity: "error" } },
    });
    expect(await newRows()).toMatchObject([{ action: "Tested sending emails", status: "failure" }]);
  });

  test("E4: is not sent to what is not one address", async () => {
    for (const to of ["nobody", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example", 1])
      expect(await refusal({ to })).toMatchObject({ status: 422, errors: [{ path: "to" }] });
    expect(tested).toEqual([]);
  });

  test("by the operator needs an address", async () => {
    const ask = (body: object) => operatorClient(host).call("POST", path, body);
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

  const askAs = async (client: TestClient, to: string) => {
    const answer = await client.call("POST", path, { to });
    const { code, message } = await answer.json();
    return { status: answer.status, waitS: Number(answer.headers.get("retry-after")), code, message };
  };

  test("goes to one address once a minute, regardless of who asks, of its spelling, and of whether it works", async () => {
    const other = await host.signedIn("admin");
    report = async () => ({ ...working, isWorking: false });
    expect((await askAs(admin, "bob@example.test")).status).toBe(422);
    pass(limits.testMailPauseMs - 20_000);
    for (const [client, to] of [
      [admin, "bob@example.test"],
      [other, "bob@example.test"],
      [other, " BOB@Example.test "],
    ] as const)
      expect(await askAs(client, to)).toEqual({
        status: 429,
        waitS: 20,
        code: "RATE_LIMITED",
        message: mailTexts.testedJustNow(20),
      });
    expect(tested).toHaveLength(1);
    report = async () => working;
    expect((await askAs(other, "carol@example.test")).status).toBe(200);
    pass(20_000);
    expect((await askAs(other, "bob@example.test")).status).toBe(200);
  });

  test("is sent for one admin twenty times an hour, to however many addresses", async () => {
    for (let index = 0; index < limits.testMailsByAdmin; index += 1)
      expect((await askAs(admin, `p${index}@example.test`)).status).toBe(200);
    const waitS = limits.testMailsWindowMs / 1000;
    expect(await askAs(admin, "last@example.test")).toEqual({
      status: 429,
      waitS,
      code: "RATE_LIMITED",
      message: mailTexts.testedTooOften(waitS),
    });
    expect(tested).toHaveLength(limits.testMailsByAdmin);
    // One that was refused has taken no place of the address.
    const other = await host.signedIn("admin");
    expect((await askAs(other, "last@example.test")).status).toBe(200);
    pass(limits.testMailsWindowMs);
    expect((await askAs(admin, "last@example.test")).status).toBe(200);
  });

  test("by the operator has these limits too", async () => {
    const ask = async () =>
      (await operatorClient(host).call("POST", path, { to: "ada@example.test" })).status;
    expect([await ask(), await ask()]).toEqual([200, 429]);
  });
});
