import { describe, expect, test } from "bun:test";
import type { Credentials } from "#api/modules/settings/contract.ts";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { changedPaths, changeOf, rebase, savedSettings } from "./draft.ts";

const credentials: Credentials = {
  redis: { endpoint: "redis://redis.example:6379", hasPassword: true },
  cloudflareR2: {
    bucket: "packages",
    token: "",
    accessKeyId: "",
    secretAccessKey: "",
    endpointS3: "",
    hasToken: false,
    hasAccessKeyId: false,
    hasSecretAccessKey: false,
    otherEndpoints: [],
  },
};
const { draft: saved, hasSecret } = savedSettings(
  credentials,
  coreSettings.defaults,
  accountSettings.defaults,
);

describe("the form's values", () => {
  test("begins as what is saved, with nothing changed and nothing to send", () => {
    expect(changedPaths(saved, saved)).toEqual([]);
    expect(changeOf(saved, [])).toBeNull();
    expect(hasSecret["redis.password"]).toBe(true);
  });

  test("counts as changed where its value is another, not where only spaces were added", () => {
    const draft = {
      ...saved,
      "redis.endpoint": " redis://redis.example:6379 ",
      "rateLimiting.maxRequests": "250",
      "security.corsEnabled": false,
    };
    expect(changedPaths(draft, saved)).toEqual(["rateLimiting.maxRequests", "security.corsEnabled"]);
  });

  test("keeps a secret while its field is empty, and sends what was typed or that it goes", () => {
    const draft = { ...saved, "redis.password": null, "cloudflareR2.token": " a-token-of-20-letters " };
    const changed = changedPaths(draft, saved);
    expect(changed).toEqual(["redis.password", "cloudflareR2.token"]);
    expect(changeOf(draft, changed)).toEqual({
      redis: { password: null },
      cloudflareR2: { token: "a-token-of-20-letters" },
    });
  });

  test("sends numbers as numbers, and a Redis password with its spaces", () => {
    const draft = { ...saved, "rateLimiting.windowMs": "60000", "redis.password": " pass word " };
    expect(changeOf(draft, ["rateLimiting.windowMs", "redis.password"])).toEqual({
      rateLimiting: { windowMs: 60_000 },
      redis: { password: " pass word " },
    });
  });

  test("keeps what was typed when others save in the meantime, and takes over the rest", () => {
    const draft = { ...saved, "rateLimiting.message": "Slow down" };
    const theirs = { ...saved, "rateLimiting.message": "Wait", "rateLimiting.maxRequests": "500" };
    expect(rebase(draft, saved, theirs)).toEqual({ ...theirs, "rateLimiting.message": "Slow down" });
  });
});
