import { expect, test } from "bun:test";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { planTexts } from "#contract/plan.ts";

const host = await hostForFile({ hasher: createCheapHasher(), settings: "stored" });
const admin = await host.signedIn("admin");

const planned = async (name: string, input: object): Promise<string> => {
  const response = await admin.call("POST", `/api/plan/settings.${name}`, input);
  return (await response.json()).data.summary;
};
const save = async (part: string, body: object) => {
  expect((await admin.call("PUT", `/api/auth/settings/${part}`, body)).status).toBe(200);
};

test("a plan of settings names what would change with both values, and nothing that stays", async () => {
  const change = { rateLimiting: { maxRequests: 500, enabled: true }, security: { corsEnabled: false } };
  expect(await planned("setCore", change)).toBe(
    "Would change core.rateLimiting.maxRequests from 100 to 500, change core.security.corsEnabled from true to false",
  );
  expect(await planned("setAccounts", { verification: "always-choose" })).toBe(
    "Would change accounts.verification from same-browser to always-choose",
  );
  expect(await planned("setAccounts", { verification: "same-browser" })).toBe(planTexts.nothing);
});

test("a plan of services says of a secret only what would be done with it", async () => {
  const redis = { endpoint: "redis://:canary-1@cache.example" };
  expect(await planned("setCredentials", { redis })).toBe(
    "Would change credentials.redis.endpoint from none to redis://cache.example, set credentials.redis.password",
  );
  await save("credentials", { redis });
  // The stored one is no exception: it could be guessed otherwise.
  for (const password of ["canary-1", "canary-2"])
    expect(await planned("setCredentials", { redis: { password } })).toBe(
      "Would replace credentials.redis.password",
    );
  expect(await planned("setCredentials", { redis: { endpoint: "" } })).toBe(
    "Would change credentials.redis.endpoint from redis://cache.example to none, remove credentials.redis.password",
  );
  const history = await (await admin.call("GET", "/api/auth/settings/history?limit=1")).json();
  const { id } = history.data.changes[0];
  expect(await planned("revert", { id: String(id) })).toBe(
    `Would revert change ${id}: change credentials.redis.endpoint from redis://cache.example to none, remove credentials.redis.password`,
  );
});
