import { expect, test } from "bun:test";
import { tokensOperations } from "#api/modules/tokens/operations.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { makePlan } from "./mount-operations.ts";

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
}, 20_000);
