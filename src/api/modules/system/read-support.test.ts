import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, operatorClient } from "#api/testing/host.ts";
import type { SupportFacts } from "./contract.ts";
import { selectSupportFacts } from "./store.ts";

const host = await hostForFile();

const facts = async (): Promise<SupportFacts> => {
  const answer = await operatorClient(host).call("GET", "/api/system/support");
  expect(answer.status).toBe(200);
  return (await answer.json()).data;
};

test("the operator reads sizes, migrations and numbers, of which each part can be read", async () => {
  const told = await facts();
  for (const [part, { problem }] of Object.entries(told)) expect([part, problem]).toEqual([part, null]);
  expect(told.tables.rows.map(({ name }) => name)).toContain("activities");
  expect(told.migrations.rows.length).toBeGreaterThan(0);
});

test("no person and no secret is in it", async () => {
  const admin = await host.signedIn("admin");
  const told = JSON.stringify(await facts());
  expect(told).not.toContain("@");
  expect(told).not.toContain(admin.cookie?.split("=")[1] ?? "");
  expect(told).not.toContain("sealed");
});

test("a part that cannot be read says so alone", async () => {
  const own = await createTestHost();
  try {
    await own.db.execute(sql`alter table setting_secrets rename to elsewhere`);
    const told = await selectSupportFacts(own.db);
    expect(told.secrets).toMatchObject({ rows: [], problem: expect.stringContaining("setting_secrets") });
    expect(told.settings.problem).toBeNull();
  } finally {
    await own.close();
  }
});
